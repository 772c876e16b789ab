<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

defined('ABSPATH') || exit;

/**
 * The settings of the plug-in. Secrets are read from constants of wp-config.php where they are defined, such as
 * TUA_LIVE_SECRET_KEY, and from the database otherwise.
 */
final class Settings
{
    public const OPTION = 'tua_payments';
    public const SECRETS = ['secret_key', 'webhook_secret', 'old_webhook_secret'];

    public static function mode(): Mode
    {
        return Mode::tryFrom(self::text('mode')) ?? Mode::Test;
    }

    /** The address of the service without a path, such as https://pay.example. Empty where none is set. */
    public static function serviceUrl(): string
    {
        return defined('TUA_SERVICE_URL') ? rtrim((string) constant('TUA_SERVICE_URL'), '/') : self::text('service_url');
    }

    /** The root of the API. */
    public static function baseUrl(): string
    {
        return self::serviceUrl() . '/v1';
    }

    public static function secretKey(Mode $mode): ?string
    {
        return self::secret($mode, 'secret_key');
    }

    /** @return list<string> The secret of the webhook, and the old one while it is rotated. */
    public static function webhookSecrets(Mode $mode): array
    {
        $secrets = [self::secret($mode, 'webhook_secret'), self::secret($mode, 'old_webhook_secret')];
        return array_values(array_filter($secrets, static fn (?string $secret): bool => $secret !== null));
    }

    public static function isReady(Mode $mode): bool
    {
        return self::serviceUrl() !== '' && self::secretKey($mode) !== null;
    }

    /** Whether the records of payments are deleted with the plug-in. */
    public static function deletesRecords(): bool
    {
        return self::text('delete_records') === '1';
    }

    /** Whether wp-config.php defines this secret. */
    public static function isConstant(Mode $mode, string $name): bool
    {
        return defined(self::constantName($mode, $name));
    }

    public static function constantName(Mode $mode, string $name): string
    {
        return 'TUA_' . strtoupper("{$mode->value}_{$name}");
    }

    /** @param string $name One of SECRETS. */
    public static function secret(Mode $mode, string $name): ?string
    {
        if (self::isConstant($mode, $name)) {
            return (string) constant(self::constantName($mode, $name));
        }
        return Vault::open(self::text("{$mode->value}_{$name}"));
    }

    /** @return array<string, string> */
    public static function all(): array
    {
        $stored = get_option(self::OPTION, []);
        return is_array($stored) ? $stored : [];
    }

    private static function text(string $name): string
    {
        $value = self::all()[$name] ?? '';
        return is_string($value) ? $value : '';
    }
}
