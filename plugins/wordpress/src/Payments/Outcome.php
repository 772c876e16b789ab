<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** What a question about a purchase has found. */
final class Outcome
{
    /**
     * @param bool $isKnown False where the service did not answer: then nobody knows whether money moved.
     * @param Checkout|null $checkout What the service answered; null where no checkout was opened, or it did not answer.
     */
    public function __construct(
        public readonly PurchaseState $state,
        public readonly bool $isKnown,
        public readonly ?Checkout $checkout = null,
    ) {
    }

    /** Why the last attempt of the payer failed, in a sentence of the service. */
    public function failure(): ?string
    {
        return $this->state === PurchaseState::Open ? $this->checkout?->transaction?->failure?->message : null;
    }
}
