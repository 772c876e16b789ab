<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Vendor\Tua\Amount;

defined('ABSPATH') || exit;

/** Reads amounts that people type. What can be read in two ways is refused. */
final class TypedAmount
{
    /** The amount with two decimals; null where the text is not exactly one amount above 0. */
    public static function read(string $text): ?string
    {
        $text = (string) preg_replace('/\A(GHS|GH₵|GH¢|₵)|[\s\x{00A0}\x{202F}]|GHS\z/ui', '', trim($text));
        if (preg_match('/\A[0-9]{1,3}(,[0-9]{3})+(\.[0-9]{1,2})?\z/', $text) === 1) {
            $text = str_replace(',', '', $text);
        } elseif (preg_match('/\A[0-9]{1,10}([.,][0-9]{1,2})?\z/', $text) === 1) {
            $text = str_replace(',', '.', $text);
        } else {
            return null;
        }
        $digits = ltrim($text, '0');
        $pesewas = Amount::toPesewas(str_starts_with($digits, '.') || $digits === '' ? "0{$digits}" : $digits);
        return $pesewas > 0 ? Amount::fromPesewas($pesewas) : null;
    }
}
