<?php

declare(strict_types=1);

namespace Tua\Cart;

/**
 * Why one value of a cart is refused.
 *
 * @internal
 */
final class CartRefusal extends \Exception
{
    public function __construct(public readonly string $errorCode, string $detail)
    {
        parent::__construct($detail);
    }
}
