<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$batch = $tua->payouts->cancelBatch(getenv('BATCH_ID'));
echo $batch->status->value, "\n";
