<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$checkout = $tua->checkouts->close(getenv('CHECKOUT_ID'));
echo $checkout->status->value, "\n";
