<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$endpoint = $tua->webhookEndpoints->create(
    ['url' => 'https://shop.example/webhooks'],
    idempotencyKey: 'shop-webhooks',
);
echo $endpoint->endpointId, ' ', $endpoint->secret, "\n"; // the secret is shown only once
