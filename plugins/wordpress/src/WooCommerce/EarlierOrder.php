<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Inquiry;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/**
 * The order that the customer began to pay before, in this session. WooCommerce makes another order of the same cart where the
 * earlier one is on hold, and the customer who goes back would pay both.
 */
final class EarlierOrder
{
    private const SESSION_NAME = 'tua_order';

    /** Why the customer must not pay this order now, in a sentence; null where nothing of an earlier one is under way. */
    public static function fault(\WC_Order $order): ?string
    {
        $id = (int) WC()->session?->get(self::SESSION_NAME);
        $earlier = $id !== 0 && $id !== $order->get_id() ? Orders::find(wc_get_order($id)) : null;
        // A sandbox moves no money, so an order of the other mode is not paid twice.
        if ($earlier === null || $earlier->mode() !== Settings::mode() || Inquiry::close($earlier)) {
            return null;
        }
        $number = $earlier->order()->get_order_number();
        if (!$earlier->state()->isPaid()) {
            // translators: %s: the number of an order.
            return sprintf(__('The payment of your order %s is not confirmed yet. Please do not pay again.', 'tua-payments'), $number);
        }
        self::forget();
        if ($earlier->order()->get_cart_hash() !== $order->get_cart_hash()) {
            return null;
        }
        // translators: %s: the number of an order.
        return sprintf(__('Your order %s of the same goods is paid. Place this order again only if you want to buy them twice.', 'tua-payments'), $number);
    }

    public static function remember(\WC_Order $order): void
    {
        WC()->session?->set(self::SESSION_NAME, $order->get_id());
    }

    /** The customer has seen what became of it. */
    public static function forget(): void
    {
        WC()->session?->set(self::SESSION_NAME, 0);
    }
}
