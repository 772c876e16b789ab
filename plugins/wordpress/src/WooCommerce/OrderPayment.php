<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Alert;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** Stores a payment in an order that has none yet. The caller has the order alone, as it is stored now. */
final class OrderPayment
{
    private readonly \WC_Order $order;

    /** The charge that brought the money. */
    private readonly string $transactionId;

    public function __construct(private readonly OrderPurchase $purchase, private readonly Checkout $checkout)
    {
        $this->order = $purchase->order();
        $this->transactionId = (string) $checkout->paidTransaction?->transactionId;
    }

    /** Returns whether the payment is stored. Where it is not, the next question about the order stores it. */
    public function store(): bool
    {
        $this->purchase->saveTexts(['paid_checkout_id' => $this->checkout->checkoutId, 'transaction_id' => $this->transactionId]);
        if ($this->purchase->mode() === Mode::Test) {
            $this->purchase->flag(__('Test payment: no money moved.', 'tua-payments'));
        }
        if ($this->order->is_paid()) {
            return $this->storeInPaidOrder();
        }
        if (Orders::total($this->order) !== $this->checkout->amount || $this->order->get_currency() !== 'GHS') {
            return $this->storeOtherAmount();
        }
        return $this->complete();
    }

    private function storeInPaidOrder(): bool
    {
        $this->saveAsPaid();
        $transactionId = $this->order->get_transaction_id();
        if ($this->transactionId !== '' && $transactionId === $this->transactionId) {
            return true; // It was completed with this payment, and a fault of another plug-in kept us from storing so.
        }
        $isByHand = $transactionId === '' && $this->order->get_payment_method() === Gateway::ID;
        $this->purchase->flag($isByHand
            ? __('The order was marked as paid by hand before this payment arrived. If it was paid in another way too, refund one of them.', 'tua-payments')
            : __('The order was paid with another method before, and now with Tua too. Refund one of them.', 'tua-payments'));
        return true;
    }

    /** The order was changed while the customer paid. It is not complete, and the money can be refunded in the order. */
    private function storeOtherAmount(): bool
    {
        $this->saveAsPaid();
        $this->order->set_transaction_id($this->transactionId);
        if ($this->order->has_status(['pending', 'failed', 'on-hold', 'cancelled'])) {
            $this->order->set_status('on-hold');
        }
        $this->order->save();
        $this->purchase->flag(sprintf(
            /* translators: 1: amount paid in GHS, 2: total of the order, 3: currency of the order. */
            __('GHS %1$s were paid, and the order is %3$s %2$s now. It was not marked as paid.', 'tua-payments'),
            $this->checkout->amount,
            Orders::total($this->order),
            $this->order->get_currency(),
        ));
        return true;
    }

    private function complete(): bool
    {
        if ($this->order->has_status('cancelled')) {
            $this->order->add_order_note(__('The payment arrived after the order was cancelled. Check the stock.', 'tua-payments'));
        }
        if (!$this->order->payment_complete($this->transactionId)) {
            return false;
        }
        $this->saveAsPaid();
        // WooCommerce completes no order that is in the trash, is refunded, or has a status of another plug-in.
        if (!$this->order->is_paid()) {
            $sentence = __('The money arrived, and the order kept its status. Complete it, or refund the payment.', 'tua-payments');
            $this->purchase->flag($sentence);
            Alert::send($this->purchase->mode(), "{$sentence} {$this->purchase->reference()}");
        }
        return true;
    }

    private function saveAsPaid(): void
    {
        $this->purchase->saveTexts(['state' => PurchaseState::Paid->value, 'held' => '0']);
    }
}
