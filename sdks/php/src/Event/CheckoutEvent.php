<?php

declare(strict_types=1);

namespace Tua\Event;

use Tua\Model\Checkout;

/** `checkout.…`. */
final class CheckoutEvent extends Event
{
    public function __construct(string $id, string $type, string $timestamp, public readonly Checkout $data)
    {
        parent::__construct($id, $type, $timestamp);
    }
}
