<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\ExclusiveChanges;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refundable;
use TuaPayments\Payments\ReturnUrl;
use TuaPayments\Settings\Mode;
use TuaPayments\Site;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** An order of WooCommerce. Its values are read and written with the order's own methods, so that HPOS keeps them. */
final class OrderPurchase implements Refundable
{
    use ExclusiveChanges;

    public const PREFIX = '_tua_';

    public function __construct(private \WC_Order $order)
    {
    }

    /** The order as this request has read it last. */
    public function order(): \WC_Order
    {
        return $this->order;
    }

    /** Whether its values are its own. Plug-ins that copy an order copy them too, and nobody has paid the copy. */
    public function isOwn(): bool
    {
        return str_starts_with($this->reference(), "wc-{$this->order->get_id()}-");
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
            'metadata' => ['source' => 'woocommerce', 'site' => Site::address(), 'order' => (string) $this->order->get_id()],
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

    public function saveCheckout(string $checkoutId, int $attempt): void
    {
        $this->whileCurrent($attempt, null, fn () => $this->saveTexts([
            'checkout_id' => $checkoutId,
            'opened_at' => (string) time(),
            'state' => PurchaseState::Open->value,
        ]));
    }

    /** The total may have changed since the last attempt began. */
    public function beginNextAttempt(int $attempt, ?string $checkoutId): void
    {
        $this->whileCurrent($attempt, $checkoutId, fn () => $this->saveTexts([
            'attempt' => (string) ($attempt + 1),
            'checkout_id' => '',
            'ask_at' => '0',
            'amount' => Orders::total($this->order),
        ]));
    }

    public function markOpen(): void
    {
        $this->release(PurchaseState::Open, __('The payment attempt failed. The customer can pay again.', 'tua-payments'));
    }

    public function markPending(): void
    {
        $this->whileUnpaid(function (): void {
            $this->saveTexts(['state' => PurchaseState::Pending->value]);
            if ($this->order->has_status(['pending', 'failed'])) {
                $this->saveTexts(['held' => '1']);
                $this->order->update_status('on-hold', __('A payment has begun, and is not confirmed yet.', 'tua-payments'));
            }
        });
    }

    public function markUnpaid(): void
    {
        $this->release(PurchaseState::Unpaid, __('The checkout ended without a payment. No money moved.', 'tua-payments'));
    }

    /** Whether the order is on hold because of a charge of ours, and not because a person or another method wanted it. */
    public function isHeld(): bool
    {
        return $this->text('held') === '1';
    }

    public function markPaid(Checkout $checkout): bool
    {
        $isNewlyPaid = false;
        $this->alone(function () use ($checkout, &$isNewlyPaid): void {
            $isNewlyPaid = !$this->state()->isPaid() && (new OrderPayment($this, $checkout))->store();
        });
        return $isNewlyPaid;
    }

    private function lockName(): string
    {
        return "order_{$this->order->get_id()}";
    }

    public function readAgain(): void
    {
        $this->order = StoredOrder::read($this->order->get_id());
    }

    /** No charge is under way any more: takes back the hold that a charge of ours has set. */
    private function release(PurchaseState $state, string $note): void
    {
        $this->whileUnpaid(function () use ($state, $note): void {
            $isOurs = $this->isHeld() && $this->order->get_payment_method() === Gateway::ID;
            $this->saveTexts(['state' => $state->value, 'held' => '0']);
            if ($isOurs && $this->order->has_status('on-hold')) {
                $this->order->update_status('pending', $note);
            }
        });
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

    /** Deletes everything that the plug-in has stored in the order. */
    public function deleteTexts(): void
    {
        foreach ($this->order->get_meta_data() as $meta) {
            if (str_starts_with((string) $meta->key, self::PREFIX)) {
                $this->order->delete_meta_data($meta->key);
            }
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
