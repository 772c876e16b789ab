<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$charge = $tua->charges->submitCode(
    ['transactionId' => getenv('TRANSACTION_ID'), 'otp' => '123456'],
    idempotencyKey: 'order-17-1-code-1',
);
echo $charge->status->value, ' ', $charge->codeAttemptsLeft, "\n";
