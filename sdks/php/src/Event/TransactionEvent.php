<?php

declare(strict_types=1);

namespace Tua\Event;

use Tua\Model\Transaction;

/** `charge.…` and `payout.…`. */
final class TransactionEvent extends Event
{
    public function __construct(string $id, string $type, string $timestamp, public readonly Transaction $data)
    {
        parent::__construct($id, $type, $timestamp);
    }
}
