<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$endpoint = $tua->webhookEndpoints->enable(getenv('ENDPOINT_ID'), resend: true);
echo $endpoint->status, ' ', $endpoint->recordedEvents, "\n";
