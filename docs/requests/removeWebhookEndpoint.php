<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$endpoint = $tua->webhookEndpoints->remove(getenv('ENDPOINT_ID'));
echo $endpoint->url, ' ', $endpoint->status, "\n";
