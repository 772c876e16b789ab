<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Amount;
use Tua\Internal\Number;

/**
 * One item of an order.
 *
 * @internal
 */
final class Line
{
    public function __construct(
        public readonly string $sku,
        public readonly string $name,
        public readonly int $pesewas,
        public readonly int $quantity,
    ) {
    }

    /** @return array<string, mixed> The line in the metadata of the checkout. */
    public function describe(): array
    {
        $price = Number::ofText(Amount::fromPesewas($this->pesewas));
        return ['sku' => $this->sku, 'name' => $this->name, 'quantity' => $this->quantity, 'price' => $price];
    }
}
