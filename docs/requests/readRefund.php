<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$refund = $tua->refunds->get(getenv('REFUND_ID'));
echo $refund->status->value, "\n";
