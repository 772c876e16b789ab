<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->transactions->list(['status' => 'SUCCESSFUL'], pageSize: 10) as $transaction) {
    echo $transaction->transactionId, ' ', $transaction->amount, "\n";
}
