<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refunds;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/** Finds the orders that are paid with Tua, and asks about those that are not final. */
final class Orders
{
    /** How long an order that nobody paid is asked about, in seconds. One that is pending is asked about until it is final. */
    private const OPEN_PERIOD = 2 * DAY_IN_SECONDS;
    private const MAX_ORDERS = 500;

    /** Stores in an order what its payment needs, before anything is asked of the service. */
    public static function prepare(\WC_Order $order, string $returnUrl): OrderPurchase
    {
        $purchase = new OrderPurchase($order);
        if ($purchase->reference() === '') {
            $purchase->saveTexts([
                'reference' => "wc-{$order->get_id()}-" . PaymentStore::randomCode(10),
                'mode' => Settings::mode()->value,
                'amount' => self::total($order),
                'email' => $order->get_billing_email(),
                'return_url' => $returnUrl,
                'attempt' => '1',
                'state' => PurchaseState::Open->value,
            ]);
        }
        return $purchase;
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
        return $purchase?->reference() ? $purchase : null;
    }

    public static function findByReference(string $reference): ?OrderPurchase
    {
        if (!function_exists('wc_get_order') || preg_match('/\Awc-([0-9]+)-/', $reference, $match) !== 1) {
            return null;
        }
        $purchase = self::find(wc_get_order((int) $match[1]));
        return $purchase !== null && hash_equals($purchase->reference(), $reference) ? $purchase : null;
    }

    public static function findByTransaction(string $transactionId, Mode $mode): ?OrderPurchase
    {
        if (!function_exists('wc_get_orders')) {
            return null;
        }
        foreach (wc_get_orders(['transaction_id' => $transactionId, 'limit' => 1]) as $order) {
            $purchase = self::find($order);
            return $purchase?->mode() === $mode ? $purchase : null;
        }
        return null;
    }

    /**
     * Found by what the plug-in stored, and not by the payment method or the status: a customer may have chosen another
     * method since, and an order is refunded long after it was paid.
     *
     * @return list<OrderPurchase> Orders to ask about now.
     */
    public static function due(int $limit): array
    {
        if (!function_exists('wc_get_orders')) {
            return [];
        }
        $recent = ['date_created' => '>' . (time() - self::OPEN_PERIOD)];
        $orders = array_merge(
            self::query('state', PurchaseState::Pending->value),
            self::query('refund_due', '1'),
            self::query('state', PurchaseState::Open->value, $recent),
        );
        $purchases = [];
        foreach (array_filter(array_filter(array_map(self::find(...), $orders)), self::isDue(...)) as $purchase) {
            $purchases[$purchase->order()->get_id()] = $purchase;
        }
        return array_slice(array_values($purchases), 0, $limit);
    }

    /**
     * @param array<string, mixed> $conditions
     *
     * @return list<\WC_Order> The newest orders for which the plug-in has stored this text.
     */
    private static function query(string $name, string $text, array $conditions = []): array
    {
        return wc_get_orders($conditions + [
            'meta_key' => OrderPurchase::PREFIX . $name,
            'meta_value' => $text,
            'limit' => self::MAX_ORDERS,
            'orderby' => 'date',
            'order' => 'DESC',
        ]);
    }

    public static function check(OrderPurchase $purchase): void
    {
        $created = $purchase->order()->get_date_created();
        $age = time() - ($created === null ? time() : $created->getTimestamp());
        $pause = min(HOUR_IN_SECONDS, max(MINUTE_IN_SECONDS, intdiv($age, 4)));
        $purchase->saveTexts(['ask_at' => (string) (time() + $pause)]);
        if ($purchase->text('refund_due') === '1') {
            Refunds::check($purchase);
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
