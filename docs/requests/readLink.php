<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$link = $tua->links->get(getenv('LINK_ID'));
echo $link->url, ' ', $link->status, "\n";
