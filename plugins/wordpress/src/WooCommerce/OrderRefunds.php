<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Refunds;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Refund;

defined('ABSPATH') || exit;

/**
 * The refunds of orders. WooCommerce deletes its refund where we return an error, and its person presses again. So a refund
 * whose outcome was not known then is taken up again, instead of another one being sent.
 */
final class OrderRefunds
{
    public static function refund(OrderPurchase $purchase, string $amount, string $reason): bool|\WP_Error
    {
        $number = self::findUnclaimed($purchase, $amount);
        if ($number === null) {
            $number = count(Refunds::of($purchase));
            $fault = Refunds::begin($purchase, $number, $amount, $reason);
        } else {
            Refunds::check($purchase);
            $fault = null;
        }
        $status = Refunds::of($purchase)[$number]['status'] ?? 'FAILED';
        if ($status === Refunds::UNKNOWN || $status === 'FAILED') {
            $message = $fault ?? Refunds::of($purchase)[$number]['message'];
            return new \WP_Error('tua_refund', $message !== '' ? $message : __('The refund failed. No money was returned.', 'tua-payments'));
        }
        $purchase->saveTexts(["refund_claimed_{$number}" => '1']);
        return true;
    }

    /** Stores what an event reports. */
    public static function record(Refund $refund, Mode $mode): void
    {
        $purchase = Orders::findByTransaction($refund->transactionId, $mode);
        if ($purchase !== null) {
            Refunds::record($purchase, $refund);
        }
    }

    /** The number of a refund of this amount that may return money, and that WooCommerce does not show. */
    private static function findUnclaimed(OrderPurchase $purchase, string $amount): ?int
    {
        foreach (Refunds::of($purchase) as $number => $refund) {
            $isClaimed = $purchase->text("refund_claimed_{$number}") === '1';
            if (!$isClaimed && $refund['amount'] === $amount && $refund['status'] !== 'FAILED') {
                return $number;
            }
        }
        return null;
    }
}
