<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$payout = $tua->payouts->create(
    ['amount' => '5.00', 'phoneNumber' => '0241234567', 'network' => 'MTN', 'payeeNote' => 'Delivery of 27 November'],
    idempotencyKey: 'payout-5',
);
echo $payout->transactionId, ' ', $payout->status->value, "\n";
