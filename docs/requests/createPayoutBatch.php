<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$batch = $tua->payouts->createBatch([
    'payouts' => [['amount' => '5.00', 'phoneNumber' => '0241234567', 'network' => 'MTN']],
    'reference' => 'salaries',
], idempotencyKey: 'november');
echo $batch->batchId, ' ', $batch->status->value, "\n";
