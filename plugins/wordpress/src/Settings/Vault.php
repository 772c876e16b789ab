<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

defined('ABSPATH') || exit;

/**
 * Encrypts secrets for the database under WordPress's own salts of wp-config.php. A copy of the database alone does not
 * show them. After the salts change, the secrets must be entered again.
 */
final class Vault
{
    public static function seal(#[\SensitiveParameter] string $secret): string
    {
        $nonce = random_bytes(SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        return base64_encode($nonce . sodium_crypto_secretbox($secret, $nonce, self::key()));
    }

    /** The secret; null where nothing is sealed, or it was sealed under other salts. */
    public static function open(string $sealed): ?string
    {
        $bytes = base64_decode($sealed, true);
        if ($bytes === false || strlen($bytes) <= SODIUM_CRYPTO_SECRETBOX_NONCEBYTES) {
            return null;
        }
        $nonce = substr($bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        $secret = sodium_crypto_secretbox_open(substr($bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES), $nonce, self::key());
        return $secret === false ? null : $secret;
    }

    private static function key(): string
    {
        return hash('sha256', 'tua-payments' . wp_salt('secure_auth'), true);
    }
}
