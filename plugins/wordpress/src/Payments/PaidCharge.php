<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;
use TuaPayments\Vendor\Tua\Model\Status;
use TuaPayments\Vendor\Tua\Model\Transaction;

defined('ABSPATH') || exit;

/** The charge that paid a checkout: a payer whose payment failed tries again with the same one. */
final class PaidCharge
{
    /**
     * The service names the latest charge, which has failed where an operator reports later that an earlier one brought the
     * money. Throws a TuaException where the service does not answer: only the right charge can be refunded.
     */
    public static function of(Checkout $checkout, Mode $mode): ?Transaction
    {
        $latest = $checkout->transaction;
        if ($latest === null || self::hasPaid($latest)) {
            return $latest;
        }
        foreach (Service::client($mode)->transactions->list(['checkoutId' => $checkout->checkoutId]) as $charge) {
            if (self::hasPaid($charge)) {
                return $charge;
            }
        }
        Log::write("No charge of the checkout {$checkout->checkoutId} was found that has paid it.");
        return $latest;
    }

    /** Whether the money of a charge has arrived, by any report of its operator, unless a review found that it did not. */
    public static function hasPaid(Transaction $charge): bool
    {
        if ($charge->conflict?->decision === Status::Failed) {
            return false;
        }
        return $charge->status === Status::Successful || $charge->conflict?->observed === Status::Successful;
    }
}
