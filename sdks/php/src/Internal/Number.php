<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Amount;

/**
 * The digits of an amount or of another number: they are written as they are, so no float is involved.
 *
 * @internal
 */
final class Number
{
    private function __construct(public readonly string $digits)
    {
    }

    /** A number of JSON as it was written. */
    public static function ofText(string $digits): self
    {
        return new self($digits);
    }

    public static function ofAmount(mixed $value, string $name): self
    {
        return new self(Amount::check($value, $name));
    }
}
