<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$payout = $tua->payouts->cancel(getenv('TRANSACTION_ID'));
echo $payout->status->value, ' ', $payout->failure?->code, "\n";
