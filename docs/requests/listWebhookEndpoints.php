<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->webhookEndpoints->list() as $endpoint) {
    echo $endpoint->endpointId, ' ', $endpoint->url, ' ', $endpoint->status, "\n";
}
