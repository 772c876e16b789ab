<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->checkouts->list(['status' => 'OPEN'], pageSize: 10) as $checkout) {
    echo $checkout->checkoutId, ' ', $checkout->reference, "\n";
}
