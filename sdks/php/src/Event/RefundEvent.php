<?php

declare(strict_types=1);

namespace Tua\Event;

use Tua\Model\Refund;

/** `refund.…`. */
final class RefundEvent extends Event
{
    public function __construct(string $id, string $type, string $timestamp, public readonly Refund $data)
    {
        parent::__construct($id, $type, $timestamp);
    }
}
