<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$quote = $tua->quotes->create(['type' => 'CHARGE', 'amount' => '120.00', 'network' => 'MTN']);
echo $quote->payerPays, ' ', $quote->fee, "\n";
