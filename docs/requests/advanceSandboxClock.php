<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$advanced = $tua->sandbox->advanceClock(1860);
echo $advanced->due->checkouts, ' ', $advanced->due->payments, "\n";
