<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refundable;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;

/** A purchase in memory. */
final class FakePurchase implements Refundable
{
    public PurchaseState $state = PurchaseState::Open;
    public ?string $checkoutId = 'chk_1';
    public ?string $paidBy = null;
    public ?string $transactionId = null;
    public int $attempt = 1;
    public int $paid = 0;
    /** @var list<string> */
    public array $flags = [];
    /** @var array<string, string> */
    public array $texts = [];

    public function reference(): string
    {
        return 'wp-abcdefghjkmn';
    }

    public function mode(): Mode
    {
        return Mode::Test;
    }

    public function amount(): string
    {
        return '18.00';
    }

    public function state(): PurchaseState
    {
        return $this->state;
    }

    public function checkoutRequest(): array
    {
        return ['amount' => '18.00', 'email' => 'ama@example.com'];
    }

    public function attempt(): int
    {
        return $this->attempt;
    }

    public function checkoutId(): ?string
    {
        return $this->checkoutId;
    }

    public function readAgain(): void
    {
    }

    public function saveCheckout(string $checkoutId, int $attempt): void
    {
        if ($this->attempt === $attempt && $this->checkoutId === null) {
            $this->checkoutId = $checkoutId;
            $this->state = PurchaseState::Open;
        }
    }

    public function beginNextAttempt(int $attempt, ?string $checkoutId): void
    {
        if ($this->attempt === $attempt && $this->checkoutId === $checkoutId) {
            $this->attempt++;
            $this->checkoutId = null;
        }
    }

    public function markOpen(): void
    {
        $this->state = PurchaseState::Open;
    }

    public function markPending(): void
    {
        $this->state = PurchaseState::Pending;
    }

    public function markUnpaid(): void
    {
        $this->state = PurchaseState::Unpaid;
    }

    public function markPaid(Checkout $checkout): bool
    {
        if ($this->state->isPaid()) {
            return false;
        }
        $this->state = PurchaseState::Paid;
        $this->paidBy = $checkout->checkoutId;
        $this->transactionId = $checkout->paidTransaction?->transactionId;
        $this->paid++;
        return true;
    }

    public function paidCheckoutId(): ?string
    {
        return $this->paidBy;
    }

    public function flag(string $sentence): void
    {
        $this->flags[] = $sentence;
    }

    public function transactionId(): ?string
    {
        return $this->transactionId;
    }

    public function text(string $name): string
    {
        return $this->texts[$name] ?? '';
    }

    public function saveTexts(array $values): void
    {
        $this->texts = $values + $this->texts;
    }

    public function markRefunded(): void
    {
        $this->state = PurchaseState::Refunded;
    }

    public function noteRefund(array $refund): void
    {
        $this->texts['note'] = $refund['status'];
    }
}
