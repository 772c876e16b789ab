<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$endpoint = $tua->webhookEndpoints->rotate(getenv('ENDPOINT_ID'), overlapHours: 48);
echo $endpoint->secret, ' ', $endpoint->oldSecretUntil, "\n";
