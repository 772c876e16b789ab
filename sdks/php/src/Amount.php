<?php

declare(strict_types=1);

namespace Tua;

use Tua\Exception\UsageException;

/** Amounts in cedis (GHS) as decimal strings. Those of the service have exactly two decimals: "10.50". */
final class Amount
{
    private const PATTERN = '/\A(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?\z/';

    /** Whole pesewas of an amount: 1050 of "10.50". */
    public static function toPesewas(string $amount): int
    {
        [$cedis, $decimals] = explode('.', self::check($amount, 'amount') . '.');
        return (int) ($cedis . str_pad($decimals, 2, '0'));
    }

    /** The amount of whole pesewas: "10.50" of 1050. */
    public static function fromPesewas(int $pesewas): string
    {
        if ($pesewas < 0) {
            throw new UsageException("An amount is not negative, as {$pesewas} pesewas is.");
        }
        $digits = str_pad((string) $pesewas, 3, '0', STR_PAD_LEFT);
        return substr($digits, 0, -2) . '.' . substr($digits, -2);
    }

    /** The digits of an amount. Throws a UsageException for a float, an int and what is not in whole pesewas. */
    public static function check(mixed $value, string $name): string
    {
        if (!is_string($value)) {
            $type = get_debug_type($value);
            throw new UsageException(
                "{$name} is of the type {$type}. Write cedis as a decimal string such as '18.00': a float is not exact, " .
                'and an int may mean pesewas.'
            );
        }
        if (preg_match(self::PATTERN, $value) !== 1) {
            throw new UsageException(
                "{$name} is " . json_encode($value, JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE) .
                ". Write cedis with at most two decimals and no sign, such as '18.00'. Nothing is rounded for you."
            );
        }
        return $value;
    }
}
