<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** What the address of a payment's page has: its number, and a code that nobody can guess. */
final class PaymentKey
{
    /** The name in the query of an address. */
    public const PARAMETER = 'tua-payment';

    public static function of(Payment $payment): string
    {
        return "{$payment->id}-" . self::code($payment);
    }

    public static function find(string $key): ?Payment
    {
        [$id, $code] = [...explode('-', $key, 2), ''];
        $payment = ctype_digit($id) ? PaymentStore::find((int) $id) : null;
        return $payment !== null && hash_equals(self::code($payment), $code) ? $payment : null;
    }

    private static function code(Payment $payment): string
    {
        return substr(hash_hmac('sha256', "tua-payment {$payment->reference()}", wp_salt('nonce')), 0, 32);
    }
}
