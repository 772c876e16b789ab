<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$charge = $tua->charges->create(
    ['amount' => '10.50', 'phoneNumber' => '0241234567', 'network' => 'MTN', 'reference' => 'order-17'],
    idempotencyKey: 'order-17-1',
);
echo $charge->transactionId, ' ', $charge->status->value, ' ', $charge->nextAction, "\n";
