<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** A purchase whose money can be returned. It stores its refunds among its own values. */
interface Refundable extends Purchase
{
    /** A stored value; empty where there is none. */
    public function text(string $name): string;

    /** @param array<string, string> $values */
    public function saveTexts(array $values): void;

    /** All of it was returned. */
    public function markRefunded(): void;

    /**
     * A refund has its outcome now.
     *
     * @param array{amount: string, reason: string, status: string, id: string, message: string, at: string} $refund
     */
    public function noteRefund(array $refund): void;
}
