<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Amount;
use Tua\Exception\UsageException;

/** An amount of the payer's choice, which a cart orders as `{"sku": "donation", "amount": 20}`. */
final class Donation
{
    /** The SKU of the donation in a cart. */
    public const SKU = 'donation';

    /**
     * @param string $name 1 to 60 bytes on one line.
     * @param string $min The smallest donation, as a decimal string in cedis.
     * @param string $max The largest one.
     */
    public function __construct(public readonly string $name, public readonly string $min, public readonly string $max)
    {
        SoldItem::checkName($name, 'the name of the donation');
        if (Amount::toPesewas($min) > Amount::toPesewas($max)) {
            throw new UsageException('The min of the donation is more than its max.');
        }
    }
}
