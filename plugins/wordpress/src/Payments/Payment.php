<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Settings\Mode;
use TuaPayments\Site;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** A payment that this plug-in took: a post of the type tua_payment. Its values are in the post's meta. */
final class Payment implements Refundable
{
    use ExclusiveChanges;

    public function __construct(public readonly int $id)
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

    public function email(): string
    {
        return $this->text('email');
    }

    public function itemId(): int
    {
        return (int) $this->text('item');
    }

    /** The page of this site where the payer began, with the key of the payment. */
    public function returnUrl(): string
    {
        return add_query_arg(PaymentKey::PARAMETER, PaymentKey::of($this), $this->text('page'));
    }

    public function transactionId(): ?string
    {
        return $this->text('transaction_id') ?: null;
    }

    public function state(): PurchaseState
    {
        return PurchaseState::from((string) get_post_status($this->id));
    }

    public function checkoutRequest(): array
    {
        return ReturnUrl::request($this->returnUrl(), $this->mode()) + [
            'amount' => $this->amount(),
            'email' => $this->email(),
            'metadata' => ['source' => 'wordpress', 'site' => Site::address(), 'item' => (string) $this->itemId()],
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
        $this->whileCurrent($attempt, null, function () use ($checkoutId): void {
            PaymentStore::update($this->id, ['checkout_id' => $checkoutId]);
            PaymentStore::move($this->id, PurchaseState::Open, [PurchaseState::Unpaid]);
        });
    }

    public function beginNextAttempt(int $attempt, ?string $checkoutId): void
    {
        $this->whileCurrent($attempt, $checkoutId, fn () => PaymentStore::update($this->id, [
            'attempt' => (string) ($attempt + 1),
            'checkout_id' => '',
            'ask_at' => (string) (time() + 60),
            'created_at' => (string) time(),
        ]));
    }

    public function markOpen(): void
    {
        $this->move(PurchaseState::Open);
    }

    public function markPending(): void
    {
        $this->move(PurchaseState::Pending);
    }

    public function markUnpaid(): void
    {
        $this->move(PurchaseState::Unpaid);
    }

    /** Only what the checkout of the present attempt is asked about changes an unpaid payment. */
    private function move(PurchaseState $to): void
    {
        if ($this->state() !== $to) {
            $unpaid = [PurchaseState::Open, PurchaseState::Pending, PurchaseState::Unpaid];
            $this->whileUnpaid(fn () => PaymentStore::move($this->id, $to, $unpaid));
        }
    }

    private function lockName(): string
    {
        return "payment_{$this->id}";
    }

    public function readAgain(): void
    {
        PaymentStore::clearCaches($this->id);
    }

    public function markPaid(Checkout $checkout): bool
    {
        $isNewlyPaid = false;
        $this->alone(function () use ($checkout, &$isNewlyPaid): void {
            $isNewlyPaid = !$this->state()->isPaid();
            if ($isNewlyPaid) {
                $this->storeAsPaid($checkout);
            }
        });
        if (!$isNewlyPaid) {
            return false;
        }
        /**
         * A payment is paid. Called once for each payment.
         *
         * @param Payment $payment
         */
        do_action('tua_payments_paid', $this);
        return true;
    }

    private function storeAsPaid(Checkout $checkout): void
    {
        // First what belongs to the status, so that no crash leaves a paid payment without its transaction.
        PaymentStore::update($this->id, [
            'paid_checkout_id' => $checkout->checkoutId,
            'transaction_id' => (string) $checkout->paidTransaction?->transactionId,
            'network' => (string) $checkout->paidTransaction?->network,
            'paid_at' => (string) time(),
        ]);
        PaymentStore::move($this->id, PurchaseState::Paid, [PurchaseState::Open, PurchaseState::Pending, PurchaseState::Unpaid]);
    }

    public function paidCheckoutId(): ?string
    {
        return $this->state()->isPaid() ? $this->text('paid_checkout_id') : null;
    }

    public function flag(string $sentence): void
    {
        PaymentStore::addOnce($this->id, 'flag', $sentence);
    }

    /** @return list<string> Why a person must look at it. */
    public function flags(): array
    {
        return array_map(strval(...), (array) get_post_meta($this->id, PaymentStore::PREFIX . 'flag'));
    }

    public function saveTexts(array $values): void
    {
        PaymentStore::update($this->id, $values);
    }

    public function markRefunded(): void
    {
        PaymentStore::move($this->id, PurchaseState::Refunded, [PurchaseState::Paid]);
    }

    public function noteRefund(array $refund): void
    {
        /**
         * A refund of a payment has its outcome.
         *
         * @param Payment $payment
         * @param array   $refund With amount, reason, status (SUCCESSFUL or FAILED), id and message.
         */
        do_action('tua_payments_refunded', $this, $refund);
    }

    /** A value of the payment's meta; empty where it has none. */
    public function text(string $name): string
    {
        $value = get_post_meta($this->id, PaymentStore::PREFIX . $name, true);
        return is_string($value) ? $value : '';
    }
}
