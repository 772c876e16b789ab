<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$transaction = $tua->transactions->wait(getenv('TRANSACTION_ID'), timeout: 30);
echo $transaction->status->value, ' ', $transaction->failure?->code, "\n";
