<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Amount;

/**
 * The digits of an amount in a request: they are written as they are, so no float is involved.
 *
 * @internal
 */
final class Number
{
    private function __construct(public readonly string $digits)
    {
    }

    public static function ofAmount(mixed $value, string $name): self
    {
        return new self(Amount::check($value, $name));
    }
}
