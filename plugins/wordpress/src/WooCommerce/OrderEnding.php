<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\PurchaseState;

defined('ABSPATH') || exit;

/** Closes the checkout of an order that is cancelled or deleted: nobody can pay it any more. */
final class OrderEnding
{
    public static function register(): void
    {
        add_filter('woocommerce_cancel_unpaid_order', self::mayCancel(...), 20, 2);
        add_action('woocommerce_order_status_cancelled', self::closeCancelled(...), 10, 2);
        add_action('woocommerce_before_trash_order', self::closeDeleted(...));
        add_action('woocommerce_before_delete_order', self::closeDeleted(...));
        // Where orders are posts, WordPress puts them in the trash and deletes them.
        add_action('wp_trash_post', self::closeDeletedPost(...));
        add_action('before_delete_post', self::closeDeletedPost(...));
    }

    /**
     * WooCommerce cancels unpaid orders by its own timer. Before it cancels one of ours, the checkout is closed: the service
     * decides whether the order can still be paid. An order that is paid, pending or not known is not cancelled.
     */
    private static function mayCancel(bool $mayCancel, \WC_Order $order): bool
    {
        $purchase = $mayCancel ? Orders::find($order) : null;
        return $purchase === null ? $mayCancel : Inquiry::close($purchase);
    }

    /** A person, or the customer, cancelled an order. A payment that is under way goes on. */
    private static function closeCancelled(int $orderId, \WC_Order $order): void
    {
        self::close($order, __('The order was cancelled while a payment may be under way. If the payment arrives, the order is revived.', 'tua-payments'));
    }

    private static function closeDeleted(int $orderId): void
    {
        self::close(wc_get_order($orderId), __('The order was deleted while a payment may be under way. If the payment arrives, you are told.', 'tua-payments'));
    }

    private static function closeDeletedPost(int $postId): void
    {
        if (Orders::isReadable() && get_post_type($postId) === 'shop_order') {
            self::closeDeleted($postId);
        }
    }

    private static function close(mixed $order, string $flag): void
    {
        $purchase = Orders::find($order);
        $isOver = $purchase === null || $purchase->state()->isPaid() || $purchase->state() === PurchaseState::Unpaid;
        if (!$isOver && !Inquiry::close($purchase) && !$purchase->state()->isPaid()) {
            $purchase->flag($flag);
        }
    }
}
