<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Amount;
use Tua\Exception\UsageException;

/** What the shop sells: the only source of names and prices. */
final class SoldItem
{
    public readonly int $pesewas;

    /**
     * @param string $name 1 to 60 bytes on one line. It goes into the metadata of the checkout.
     * @param string $price The price of one, as a decimal string in cedis.
     */
    public function __construct(public readonly string $sku, public readonly string $name, public readonly string $price)
    {
        self::checkName($name, "the name of {$sku}");
        $this->pesewas = Amount::toPesewas($price);
    }

    /** Names are short because 30 of them must fit into the metadata of a checkout. */
    public static function checkName(string $name, string $what): void
    {
        if ($name === '' || strlen($name) > 60 || preg_match('/\p{Cc}/u', $name) !== 0) {
            throw new UsageException("{$what} is a text of 1 to 60 bytes on one line.");
        }
    }
}
