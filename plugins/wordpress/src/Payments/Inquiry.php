<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Vendor\Tua\Exception\ApiException;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** Asks the service about purchases, and closes checkouts before a shop cancels an order. */
final class Inquiry
{
    /** What is known of the purchase now. The service is asked unless it is paid or never was opened. */
    public static function ask(Purchase $purchase): Outcome
    {
        $checkoutId = $purchase->checkoutId();
        if ($purchase->state()->isPaid() || $checkoutId === null) {
            return new Outcome($purchase->state(), true);
        }
        try {
            $checkout = Service::client($purchase->mode())->checkouts->get($checkoutId);
        } catch (TuaException $error) {
            Log::write("{$purchase->reference()}: {$error->getMessage()}");
            return new Outcome($purchase->state(), false);
        }
        if (!self::record($purchase, $checkout)) {
            return new Outcome($purchase->state(), false);
        }
        return new Outcome($purchase->state(), true, $checkout);
    }

    /**
     * Closes the checkout, so that nobody can pay it. True only where certainly no money moves any more; false while a
     * charge is pending, after a payment, and where the service does not answer.
     */
    public static function close(Purchase $purchase): bool
    {
        $checkoutId = $purchase->checkoutId();
        if ($purchase->state()->isPaid()) {
            return false;
        }
        if ($checkoutId === null) {
            return true; // The response was lost, so no payer has the token of that checkout.
        }
        try {
            $checkout = Service::client($purchase->mode())->checkouts->close($checkoutId);
        } catch (ApiException $error) {
            if ($error->status === 409) {
                // A review can find that no money of a paid checkout arrived.
                $outcome = self::ask($purchase);
                return $outcome->isKnown && $outcome->state === PurchaseState::Unpaid;
            }
            Log::write("{$purchase->reference()}: {$error->getMessage()}");
            return false;
        } catch (TuaException $error) {
            Log::write("{$purchase->reference()}: {$error->getMessage()}");
            return false;
        }
        return self::record($purchase, $checkout) && $purchase->state() === PurchaseState::Unpaid;
    }

    /** False where another request is changing the purchase: then nothing is known of it here. */
    private static function record(Purchase $purchase, Checkout $checkout): bool
    {
        try {
            Recorder::record($purchase, $checkout);
        } catch (Busy $error) {
            Log::write("{$purchase->reference()}: {$error->getMessage()}");
            return false;
        }
        return true;
    }
}
