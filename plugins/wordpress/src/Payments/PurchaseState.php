<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** What is known of a purchase. The values are the statuses of the private post type. */
enum PurchaseState: string
{
    /** The payer can pay. */
    case Open = 'tua-open';
    /** A charge has begun, and its outcome is not known. It is neither paid nor failed. */
    case Pending = 'tua-pending';
    case Paid = 'tua-paid';
    /** Its checkout has ended without a payment. */
    case Unpaid = 'tua-unpaid';
    /** All of it was returned to the payer. */
    case Refunded = 'tua-refunded';

    public function isPaid(): bool
    {
        return $this === self::Paid || $this === self::Refunded;
    }

    public function label(): string
    {
        return match ($this) {
            self::Open => __('Waiting for payment', 'tua-payments'),
            self::Pending => __('Not confirmed yet', 'tua-payments'),
            self::Paid => __('Paid', 'tua-payments'),
            self::Unpaid => __('Not paid', 'tua-payments'),
            self::Refunded => __('Refunded', 'tua-payments'),
        };
    }
}
