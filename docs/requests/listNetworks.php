<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
foreach ($tua->networks->get() as $service) {
    echo $service->network, ' ', $service->charge->status, ' ', $service->payout->status, "\n";
}
