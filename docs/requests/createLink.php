<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$link = $tua->links->create(
    ['title' => 'Adom choir: robe', 'amount' => '10.50'],
    idempotencyKey: 'choir-2026',
);
echo $link->linkId, ' ', $link->url, "\n";
