<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Lock;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refundable;
use TuaPayments\Payments\ReturnUrl;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** An order of WooCommerce. Its values are read and written with the order's own methods, so that HPOS keeps them. */
final class OrderPurchase implements Refundable
{
    public const PREFIX = '_tua_';

    public function __construct(public readonly \WC_Order $order)
    {
    }

    public function reference(): string
    {
        return $this->text('reference');
    }

    public function mode(): Mode
    {
        return Mode::from($this->text('mode'));
    }

    public function amount(): string
    {
        return $this->text('amount');
    }

    public function transactionId(): ?string
    {
        return $this->text('transaction_id') ?: null;
    }

    public function state(): PurchaseState
    {
        return PurchaseState::tryFrom($this->text('state')) ?? PurchaseState::Open;
    }

    public function checkoutRequest(): array
    {
        return ReturnUrl::request($this->text('return_url'), $this->mode()) + [
            'amount' => $this->amount(),
            'email' => $this->text('email'),
            'metadata' => ['source' => 'woocommerce', 'order' => (string) $this->order->get_id()],
        ];
    }

    public function attempt(): int
    {
        return (int) $this->text('attempt');
    }

    public function checkoutId(): ?string
    {
        return $this->text('checkout_id') ?: null;
    }

    public function saveCheckout(string $checkoutId): void
    {
        $this->saveTexts(['checkout_id' => $checkoutId, 'state' => PurchaseState::Open->value]);
    }

    public function beginNextAttempt(): void
    {
        Lock::run("order_{$this->order->get_id()}", function (): void {
            $attempt = $this->attempt();
            $this->order->read_meta_data(true);
            if ($this->attempt() === $attempt) {
                $this->saveTexts(['attempt' => (string) ($attempt + 1), 'checkout_id' => '', 'ask_at' => '0']);
            }
        });
    }

    public function markOpen(): void
    {
        $this->saveTexts(['state' => PurchaseState::Open->value]);
        if ($this->order->has_status('on-hold')) {
            $this->order->update_status('pending', __('The payment attempt failed. The customer can pay again.', 'tua-payments'));
        }
    }

    public function markPending(): void
    {
        $this->saveTexts(['state' => PurchaseState::Pending->value]);
        if ($this->order->has_status(['pending', 'failed'])) {
            $this->order->update_status('on-hold', __('A payment has begun, and is not confirmed yet.', 'tua-payments'));
        }
    }

    public function markUnpaid(): void
    {
        $this->saveTexts(['state' => PurchaseState::Unpaid->value]);
        if ($this->order->has_status('on-hold')) {
            $this->order->update_status('pending', __('The checkout ended without a payment. No money moved.', 'tua-payments'));
        }
    }

    public function markPaid(Checkout $checkout): bool
    {
        $isNewlyPaid = false;
        Lock::run("order_{$this->order->get_id()}", function () use ($checkout, &$isNewlyPaid): void {
            $this->order->read_meta_data(true);
            if ($this->state()->isPaid()) {
                return;
            }
            $transactionId = (string) $checkout->transaction?->transactionId;
            $this->saveTexts(['paid_checkout_id' => $checkout->checkoutId, 'transaction_id' => $transactionId]);
            if ($this->order->is_paid()) {
                $this->saveTexts(['state' => PurchaseState::Paid->value]);
                $this->flag(__('The order was paid with another method before, and now with Tua too. Refund one of them.', 'tua-payments'));
                $isNewlyPaid = true;
                return;
            }
            if ($this->order->has_status('cancelled')) {
                $this->order->add_order_note(__('The payment arrived after the order was cancelled. Check the stock.', 'tua-payments'));
            }
            $isNewlyPaid = $this->order->payment_complete($transactionId);
            if ($isNewlyPaid) {
                $this->saveTexts(['state' => PurchaseState::Paid->value]);
            }
        });
        return $isNewlyPaid;
    }

    public function paidCheckoutId(): ?string
    {
        return $this->state()->isPaid() ? $this->text('paid_checkout_id') : null;
    }

    public function flag(string $sentence): void
    {
        $name = 'flag_' . hash('crc32b', $sentence);
        if ($this->text($name) === '') {
            $this->saveTexts([$name => '1']);
            $this->order->add_order_note("Tua: {$sentence}");
        }
    }

    public function text(string $name): string
    {
        $value = $this->order->get_meta(self::PREFIX . $name);
        return is_string($value) ? $value : '';
    }

    public function saveTexts(array $values): void
    {
        foreach ($values as $name => $value) {
            $this->order->update_meta_data(self::PREFIX . $name, $value);
        }
        $this->order->save();
    }

    /** WooCommerce marks the order itself, by the refunds that it has. */
    public function markRefunded(): void
    {
        $this->saveTexts(['state' => PurchaseState::Refunded->value]);
    }

    public function noteRefund(array $refund): void
    {
        // translators: %s: an amount in GHS.
        $returned = __('GHS %s were returned to the customer.', 'tua-payments');
        // translators: 1: an amount in GHS, 2: the reason.
        $failed = __('The refund of GHS %1$s failed, and no money was returned: %2$s Delete the refund in this order.', 'tua-payments');
        $text = $refund['status'] === 'SUCCESSFUL' ? $returned : $failed;
        $this->order->add_order_note(sprintf($text, $refund['amount'], $refund['message']));
    }
}
