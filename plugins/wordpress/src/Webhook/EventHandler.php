<?php

declare(strict_types=1);

namespace TuaPayments\Webhook;

use TuaPayments\Items\LinkPayments;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\Purchase;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Payments\Refunds;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\CheckoutEvent;
use TuaPayments\Vendor\Tua\Event\Event;
use TuaPayments\Vendor\Tua\Event\RefundEvent;
use TuaPayments\Vendor\Tua\Event\TransactionEvent;
use TuaPayments\Vendor\Tua\Model\CheckoutStatus;
use TuaPayments\Vendor\Tua\Model\Refund;
use TuaPayments\Vendor\Tua\Model\Status;
use TuaPayments\Vendor\Tua\Model\Transaction;
use TuaPayments\WooCommerce\OrderRefunds;
use TuaPayments\WooCommerce\Orders;

defined('ABSPATH') || exit;

/**
 * Stores what events report. Events come twice and in another order than they happened, so only what is final is taken from
 * them. What is not final is a reason to ask.
 */
final class EventHandler
{
    public static function handle(Event $event, Mode $mode): void
    {
        match (true) {
            $event instanceof CheckoutEvent => self::handleCheckout($event, $mode),
            $event instanceof TransactionEvent => self::handleCharge($event->data, $mode),
            $event instanceof RefundEvent => self::handleRefund($event->data, $mode),
            default => null,
        };
    }

    private static function handleCheckout(CheckoutEvent $event, Mode $mode): void
    {
        $purchase = self::find($event->data->reference, $mode);
        if ($purchase === null) {
            if ($event->data->status === CheckoutStatus::Paid) {
                InactiveShop::refuse($event->data->metadata);
            }
            LinkPayments::record($event->data, $mode);
            UnmatchedPayment::report($event->data, $mode);
            return;
        }
        $isFinal = in_array($event->data->status, [CheckoutStatus::Paid, CheckoutStatus::Expired, CheckoutStatus::Closed], true);
        if ($isFinal) {
            Recorder::record($purchase, $event->data);
        } elseif ($event->type === 'checkout.attempt_failed') {
            Inquiry::ask($purchase);
        }
    }

    private static function handleCharge(Transaction $charge, Mode $mode): void
    {
        if ($charge->checkoutId === null) {
            return;
        }
        $purchase = self::find($charge->reference, $mode) ?? LinkPayments::find($charge->checkoutId, $mode);
        if ($purchase === null) {
            if ($charge->conflict !== null || $charge->status === Status::Successful) {
                InactiveShop::refuse($charge->metadata);
            }
            return;
        }
        Recorder::recordCharge($purchase, $charge);
        $isCurrent = $charge->checkoutId === $purchase->checkoutId();
        if ($isCurrent && $charge->status === Status::Pending && $purchase->state() === PurchaseState::Open) {
            $purchase->markPending();
            // The event about the end of the charge may have been stored before this one.
            Inquiry::ask($purchase);
        }
    }

    private static function handleRefund(Refund $refund, Mode $mode): void
    {
        $isOfTransaction = ['key' => PaymentStore::PREFIX . 'transaction_id', 'value' => $refund->transactionId];
        $payments = PaymentStore::query([PurchaseState::Paid, PurchaseState::Refunded], [$isOfTransaction], 1);
        if (($payments[0] ?? null) instanceof Payment && $payments[0]->mode() === $mode) {
            $payments[0]->alone(static fn () => Refunds::record($payments[0], $refund));
            return;
        }
        InactiveShop::refuseRefund($refund, $mode);
        OrderRefunds::record($refund, $mode);
    }

    private static function find(string $reference, Mode $mode): ?Purchase
    {
        $purchase = PaymentStore::findByReference($reference) ?? Orders::findByReference($reference);
        return $purchase?->mode() === $mode ? $purchase : null;
    }
}
