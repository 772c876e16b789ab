<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\PurchaseState;

defined('ABSPATH') || exit;

/** Lets WooCommerce's eraser of orders also erase the e-mail address that the plug-in has stored for the service. */
final class OrderPrivacy
{
    private const NAME = OrderPurchase::PREFIX . 'email';

    public static function register(): void
    {
        $hook = 'woocommerce_privacy_remove_order_personal_data_meta';
        add_filter($hook, static fn (array $kinds): array => [self::NAME => 'email'] + $kinds);
        add_filter("{$hook}_value", self::value(...), 10, 5);
    }

    /** What is stored in place of a value. An order that can still be paid keeps the address: its request is repeated. */
    private static function value(mixed $anonymous, string $name, mixed $value, string $kind, mixed $order): mixed
    {
        if ($name !== self::NAME) {
            return $anonymous;
        }
        $purchase = Orders::find($order);
        $mayBePaid = in_array($purchase?->state(), [PurchaseState::Open, PurchaseState::Pending], true) && $purchase?->checkoutId() !== null;
        return $mayBePaid ? $value : '';
    }
}
