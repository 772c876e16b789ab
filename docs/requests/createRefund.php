<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$refund = $tua->refunds->create(
    ['transactionId' => getenv('TRANSACTION_ID'), 'amount' => '4.20', 'reason' => 'One of two items was sold out'],
    idempotencyKey: 'refund-17',
);
echo $refund->refundId, ' ', $refund->status->value, "\n";
