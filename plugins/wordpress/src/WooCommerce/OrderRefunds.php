<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Refunds;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Refund;

defined('ABSPATH') || exit;

/**
 * The refunds of orders. WooCommerce deletes its refund where we return an error, and its person presses again. So a refund
 * whose outcome was not known then is taken up again, instead of another one being sent. If the money is returned before
 * anybody presses again, the refund is entered in WooCommerce here. A refund that WooCommerce shows is claimed.
 */
final class OrderRefunds
{
    public static function refund(OrderPurchase $purchase, string $amount, string $reason): bool|\WP_Error
    {
        $fault = null;
        try {
            $purchase->alone(function () use ($purchase, $amount, $reason, &$fault): void {
                $fault = self::send($purchase, $amount, $reason);
                self::enterUnclaimed($purchase);
            });
        } catch (Busy) {
            $fault = __('The order is being changed at this moment, and no refund was sent. Try again in a minute.', 'tua-payments');
        }
        return $fault === null ? true : new \WP_Error('tua_refund', $fault);
    }

    /** Asks about the refunds that are not final. */
    public static function check(OrderPurchase $purchase): void
    {
        $purchase->alone(static function () use ($purchase): void {
            Refunds::check($purchase);
            self::enterUnclaimed($purchase);
        });
    }

    /** Stores what an event reports. */
    public static function record(Refund $refund, Mode $mode): void
    {
        $purchase = Orders::findByTransaction($refund->transactionId, $mode);
        $purchase?->alone(static function () use ($purchase, $refund): void {
            Refunds::record($purchase, $refund);
            self::enterUnclaimed($purchase);
        });
    }

    /** What is wrong, in a sentence; null where the money is being returned, and WooCommerce keeps its refund. */
    private static function send(OrderPurchase $purchase, string $amount, string $reason): ?string
    {
        $known = self::findUnclaimed($purchase, $amount);
        $number = $known ?? count(Refunds::of($purchase));
        // Before it is sent: if this request dies then, WooCommerce has the refund all the same.
        self::claim($purchase, $number, true);
        $fault = null;
        if ($known === null) {
            $fault = Refunds::begin($purchase, $number, $amount, $reason);
        } else {
            Refunds::check($purchase);
        }
        $refund = Refunds::of($purchase)[$number] ?? ['status' => 'FAILED', 'message' => ''];
        if (!in_array($refund['status'], [Refunds::UNKNOWN, Refunds::LOST, 'FAILED'], true)) {
            return null;
        }
        self::claim($purchase, $number, false);
        return $fault ?? ($refund['message'] ?: __('The refund failed. No money was returned.', 'tua-payments'));
    }

    /** Enters the refunds that returned money, and that WooCommerce does not have. */
    private static function enterUnclaimed(OrderPurchase $purchase): void
    {
        foreach (Refunds::of($purchase) as $number => $refund) {
            if ($refund['status'] !== 'SUCCESSFUL' || self::isClaimed($purchase, $number)) {
                continue;
            }
            self::claim($purchase, $number, true);
            $entered = wc_create_refund([
                'order_id' => $purchase->order()->get_id(),
                'amount' => $refund['amount'],
                'reason' => $refund['reason'],
                'refund_payment' => false,
            ]);
            if (is_wp_error($entered)) {
                $purchase->flag(sprintf(
                    /* translators: 1: an amount in GHS, 2: a sentence of WooCommerce. */
                    __('GHS %1$s were returned, and WooCommerce could not enter the refund: %2$s', 'tua-payments'),
                    $refund['amount'],
                    $entered->get_error_message(),
                ));
            }
        }
    }

    /** The number of a refund of this amount that may return money, and that WooCommerce does not show. */
    private static function findUnclaimed(OrderPurchase $purchase, string $amount): ?int
    {
        foreach (Refunds::of($purchase) as $number => $refund) {
            if (!self::isClaimed($purchase, $number) && $refund['amount'] === $amount && $refund['status'] !== 'FAILED') {
                return $number;
            }
        }
        return null;
    }

    private static function isClaimed(OrderPurchase $purchase, int $number): bool
    {
        return $purchase->text("refund_claimed_{$number}") === '1';
    }

    private static function claim(OrderPurchase $purchase, int $number, bool $isClaimed): void
    {
        $purchase->saveTexts(["refund_claimed_{$number}" => $isClaimed ? '1' : '0']);
    }
}
