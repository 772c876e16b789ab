<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

/**
 * The status of a session. PENDING: a charge is not final yet. EXPIRED and CLOSED: it was not paid, and takes no
 * charge.
 */
enum CheckoutStatus: string
{
    case Open = 'OPEN';
    case Pending = 'PENDING';
    case Paid = 'PAID';
    case Expired = 'EXPIRED';
    case Closed = 'CLOSED';
}
