<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/**
 * Something that one payer pays: a payment of this plug-in, or an order of WooCommerce. It is stored before the first
 * request about it is sent.
 */
interface Purchase
{
    /** Unique on this site, and unguessable, so that no other site's checkout is taken for this one's. */
    public function reference(): string;

    public function mode(): Mode;

    /** A decimal string in cedis with two decimals. */
    public function amount(): string;

    public function state(): PurchaseState;

    /** What a checkout of this purchase is opened with, without the reference. The same in each request of an attempt. */
    public function checkoutRequest(): array;

    /** The number of the attempt, from 1. Each attempt has a checkout and an idempotency key of its own. */
    public function attempt(): int;

    /** The checkout of the attempt; null before it is opened, or where the response was lost. */
    public function checkoutId(): ?string;

    /** Reads it as the database has it now: another request may have changed it. */
    public function readAgain(): void;

    /** Stores the checkout of an attempt, unless another request has stored it, or has begun another attempt. */
    public function saveCheckout(string $checkoutId, int $attempt): void;

    /** Begins the attempt after this one, whose checkout has ended, unless another request has changed what this one has read. */
    public function beginNextAttempt(int $attempt, ?string $checkoutId): void;

    /** The payer still can pay. */
    public function markOpen(): void;

    /** A charge has begun, and its outcome is not known. */
    public function markPending(): void;

    /** The checkout has ended without a payment. */
    public function markUnpaid(): void;

    /** Stores the payment, with the charge that brought the money. Of several calls, also at the same time, one returns true. */
    public function markPaid(Checkout $checkout): bool;

    /** The checkout that paid it; null while it is not paid. */
    public function paidCheckoutId(): ?string;

    /** The charge that paid it; null where it is not known. */
    public function transactionId(): ?string;

    /** Asks a person to look at it. The same sentence is stored once. */
    public function flag(string $sentence): void;
}
