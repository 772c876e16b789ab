<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Vendor\Tua\Model\Checkout;
use TuaPayments\Vendor\Tua\Model\CheckoutStatus;
use TuaPayments\Vendor\Tua\Model\Status;
use TuaPayments\Vendor\Tua\Model\Transaction;

defined('ABSPATH') || exit;

/** Stores what the service reports about a purchase, whether by webhook or as the answer to a question. */
final class Recorder
{
    public static function record(Purchase $purchase, Checkout $checkout): void
    {
        if ($checkout->reference !== $purchase->reference() || $checkout->mode !== $purchase->mode()->value) {
            return;
        }
        self::flagConflict($purchase, $checkout->transaction);
        if ($checkout->status === CheckoutStatus::Paid && $checkout->paidTransaction !== null) {
            self::recordPayment($purchase, $checkout);
            return;
        }
        if ($checkout->status === CheckoutStatus::Paid && $checkout->checkoutId === $purchase->paidCheckoutId()) {
            self::flagNoMoney($purchase);
        }
        // The end of an earlier attempt says nothing about this one.
        if ($purchase->state()->isPaid() || $checkout->checkoutId !== $purchase->checkoutId()) {
            return;
        }
        match (self::statusOf($checkout)) {
            CheckoutStatus::Open => $purchase->markOpen(),
            CheckoutStatus::Pending => $purchase->markPending(),
            CheckoutStatus::Expired, CheckoutStatus::Closed => $purchase->markUnpaid(),
        };
    }

    /** A review can find that no money of a paid checkout arrived: then it is closed, unless another charge of it is pending. */
    private static function statusOf(Checkout $checkout): CheckoutStatus
    {
        if ($checkout->status !== CheckoutStatus::Paid) {
            return $checkout->status;
        }
        return $checkout->transaction?->status === Status::Pending ? CheckoutStatus::Pending : CheckoutStatus::Closed;
    }

    /** It was marked as paid before a review found that no money arrived. */
    public static function flagNoMoney(Purchase $purchase): void
    {
        $purchase->flag(__('A review at Tua found that no money arrived, and it was marked as paid before. Nothing was changed here: decide what becomes of it.', 'tua-payments'));
    }

    private static function recordPayment(Purchase $purchase, Checkout $checkout): void
    {
        if ($checkout->amount !== $purchase->amount() || $checkout->currency !== 'GHS') {
            $purchase->flag(sprintf(
                /* translators: 1: amount paid, 2: amount asked for, both in GHS. */
                __('GHS %1$s were paid, and GHS %2$s were asked for. It was not marked as paid.', 'tua-payments'),
                $checkout->amount,
                $purchase->amount(),
            ));
            return;
        }
        if (!$purchase->state()->isPaid()) {
            self::flagConflict($purchase, $checkout->paidTransaction);
            if ($purchase->markPaid($checkout)) {
                Log::write("{$purchase->reference()} is paid");
            }
        }
        // Also where another request has stored the first payment meanwhile.
        $paidBy = $purchase->paidCheckoutId();
        if ($paidBy !== null && $paidBy !== $checkout->checkoutId) {
            self::flagSecondPayment($purchase, $checkout);
        }
    }

    /**
     * Stores what the service reports about a charge. A checkout is reported as paid once, also where a second charge of it
     * brings money: that is possible after a contradiction of the operator.
     */
    public static function recordCharge(Purchase $purchase, Transaction $charge): void
    {
        $isSecond = $charge->checkoutId === $purchase->paidCheckoutId()
            && !in_array($purchase->transactionId(), [null, $charge->transactionId], true);
        if ($isSecond && self::hasBroughtMoney($charge)) {
            $purchase->flag(sprintf(
                /* translators: %s: the id of a charge. */
                __('It was paid twice: the charge %s brought money too. Return one of them in the dashboard of Tua.', 'tua-payments'),
                $charge->transactionId,
            ));
        }
        self::flagConflict($purchase, $charge);
    }

    /** By any report of its operator, unless a review found that the money did not arrive. */
    private static function hasBroughtMoney(Transaction $charge): bool
    {
        if ($charge->conflict?->decision === Status::Failed) {
            return false;
        }
        return $charge->status === Status::Successful || $charge->conflict?->observed === Status::Successful;
    }

    private static function flagSecondPayment(Purchase $purchase, Checkout $checkout): void
    {
        $purchase->flag(sprintf(
            /* translators: %s: the id of a checkout. */
            __('It was paid twice: the checkout %s was paid too. Refund one of them.', 'tua-payments'),
            $checkout->checkoutId,
        ));
    }

    private static function flagConflict(Purchase $purchase, ?Transaction $charge): void
    {
        if ($charge?->conflict !== null) {
            $purchase->flag(__('The operator contradicted the outcome of this payment. See it in the dashboard of Tua.', 'tua-payments'));
        }
    }
}
