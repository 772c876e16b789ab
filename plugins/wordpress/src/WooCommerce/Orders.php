<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;

defined('ABSPATH') || exit;

/** Finds the orders that are paid with Tua, and asks about those that are not final. */
final class Orders
{
    private const MAX_ORDERS = 500;

    /** Whether WooCommerce is active, without which nothing is known of orders. */
    public static function isReadable(): bool
    {
        return function_exists('wc_get_order');
    }

    /** The total as the service takes it: a decimal string with two decimals. */
    public static function total(\WC_Order $order): string
    {
        return number_format((float) $order->get_total(), 2, '.', '');
    }

    /** The order's payment with Tua, also where the customer has chosen another method since: it may arrive all the same. */
    public static function find(mixed $order): ?OrderPurchase
    {
        $purchase = $order instanceof \WC_Order ? new OrderPurchase($order) : null;
        return $purchase?->isOwn() === true ? $purchase : null;
    }

    public static function findByReference(string $reference): ?OrderPurchase
    {
        if (!self::isReadable() || preg_match('/\Awc-([0-9]+)-/', $reference, $match) !== 1) {
            return null;
        }
        $purchase = self::find(wc_get_order((int) $match[1]));
        return $purchase !== null && hash_equals($purchase->reference(), $reference) ? $purchase : null;
    }

    public static function findByTransaction(string $transactionId, Mode $mode): ?OrderPurchase
    {
        if (!self::isReadable()) {
            return null;
        }
        $purchases = array_filter(array_map(self::find(...), self::query('transaction_id', $transactionId)));
        $ofMode = array_filter($purchases, static fn (OrderPurchase $purchase): bool => $purchase->mode() === $mode);
        return array_values($ofMode)[0] ?? null;
    }

    /**
     * Found by what the plug-in stored, and not by the payment method or the status: a customer may have chosen another
     * method since, and an order is refunded long after it was paid.
     *
     * @return list<OrderPurchase> Orders to ask about now.
     */
    public static function due(int $limit): array
    {
        if (!self::isReadable()) {
            return [];
        }
        $orders = array_merge(
            self::query('state', PurchaseState::Pending->value),
            self::query('refund_due', '1'),
            self::query('state', PurchaseState::Open->value),
        );
        $purchases = [];
        foreach (array_filter(array_filter(array_map(self::find(...), $orders)), self::isDue(...)) as $purchase) {
            $purchases[$purchase->order()->get_id()] = $purchase;
        }
        return array_slice(array_values($purchases), 0, $limit);
    }

    /** @return list<\WC_Order> The newest orders for which the plug-in has stored this text. */
    private static function query(string $name, string $text): array
    {
        return wc_get_orders([
            'meta_key' => OrderPurchase::PREFIX . $name,
            'meta_value' => $text,
            'limit' => self::MAX_ORDERS,
            'orderby' => 'date',
            'order' => 'DESC',
        ]);
    }

    /** Asks about an order, and decides when it is asked about again: soon after its checkout was opened, then ever less often. */
    public static function check(OrderPurchase $purchase): void
    {
        $age = time() - (int) $purchase->text('opened_at');
        $pause = min(HOUR_IN_SECONDS, max(MINUTE_IN_SECONDS, intdiv($age, 4)));
        $purchase->saveTexts(['ask_at' => (string) (time() + $pause)]);
        if ($purchase->text('refund_due') === '1') {
            OrderRefunds::check($purchase);
        } else {
            Inquiry::ask($purchase);
        }
    }

    private static function isDue(OrderPurchase $purchase): bool
    {
        $isOpen = in_array($purchase->state(), [PurchaseState::Open, PurchaseState::Pending], true) && $purchase->checkoutId() !== null;
        return ($isOpen || $purchase->text('refund_due') === '1') && (int) $purchase->text('ask_at') <= time();
    }
}
