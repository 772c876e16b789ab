<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

/** PENDING, or COMPLETED once every payout of the batch is final. */
enum BatchStatus: string
{
    case Pending = 'PENDING';
    case Completed = 'COMPLETED';
}
