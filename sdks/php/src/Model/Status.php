<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

/** The status of a transaction. SUCCESSFUL and FAILED are final. */
enum Status: string
{
    case Pending = 'PENDING';
    case Successful = 'SUCCESSFUL';
    case Failed = 'FAILED';
}
