<?php

require 'vendor/autoload.php';

$tua = new Tua\Tua(getenv('TUA_SECRET_KEY'), getenv('TUA_API_URL'));
$checkout = $tua->checkouts->create([
    'amount' => '18.00',
    'email' => 'ama@example.com',
    'reference' => 'order-17',
    'metadata' => ['customer' => '4711'],
    'returnUrl' => 'http://localhost:9000/orders/order-17',
], idempotencyKey: 'order-17-attempt-1');
echo $checkout->checkoutId, ' ', $checkout->url, "\n";
