<?php

// Replaces what a test site does not have: mail is only counted.
function wp_mail(): bool
{
    return true;
}

// A test begins many payments from one address.
add_filter('tua_payments_rate_limit', static fn (): int => 10_000);

// How often other code heard that a payment is paid.
add_action('tua_payments_paid', static function (TuaPayments\Payments\Payment $payment): void {
    add_post_meta($payment->id, 'test_paid', '1');
});

// The same of WooCommerce's orders.
add_action('woocommerce_payment_complete', static function (int $id): void {
    $order = wc_get_order($id);
    $order->add_meta_data('test_paid', '1');
    $order->save();
});
