<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->refunds->list(['transactionId' => getenv('TRANSACTION_ID')]) as $refund) {
    echo $refund->refundId, ' ', $refund->amount, ' ', $refund->status->value, "\n";
}
