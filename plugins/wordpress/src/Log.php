<?php

declare(strict_types=1);

namespace TuaPayments;

defined('ABSPATH') || exit;

/** Lines in PHP's error log, without secrets and without payers' data. */
final class Log
{
    private const SECRETS = '/(tua_(test|live)_v2_|sk_(test|live)_|tua_checkout_|whsec_)[A-Za-z0-9_\-+\/=]+/';
    private const PHONES = '/(?<!\w)(\+?233|0)[0-9]{9}(?!\w)/';
    private const EMAILS = '/[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+/';

    public static function write(string $message): void
    {
        // The log of the site is where its administrator looks for faults of plug-ins.
        error_log('tua-payments: ' . self::withoutSecrets($message)); // phpcs:ignore WordPress.PHP.DevelopmentFunctions
    }

    public static function withoutSecrets(string $text): string
    {
        $text = (string) preg_replace(self::SECRETS, '$1…', $text);
        $text = (string) preg_replace(self::PHONES, '(phone)', $text);
        return (string) preg_replace(self::EMAILS, '(e-mail)', $text);
    }
}
