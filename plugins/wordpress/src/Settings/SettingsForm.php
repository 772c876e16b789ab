<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

defined('ABSPATH') || exit;

/** Reads what a person sends from the settings page. What is wrong changes nothing, and is named in a sentence. */
final class SettingsForm
{
    /** @var list<string> What is wrong, in sentences. */
    public array $faults = [];

    /**
     * The settings after the form.
     *
     * @param array<string, string> $stored
     * @param array<string, mixed> $sent Without the slashes that WordPress adds.
     *
     * @return array<string, string>
     */
    public function read(array $stored, #[\SensitiveParameter] array $sent): array
    {
        $next = $stored;
        $next['mode'] = ($sent['mode'] ?? '') === Mode::Live->value ? Mode::Live->value : Mode::Test->value;
        $next['delete_records'] = ($sent['delete_records'] ?? '') === '1' ? '1' : '0';
        $url = $this->readUrl(self::text($sent, 'service_url'), Mode::from($next['mode']));
        if ($url !== null) {
            $next['service_url'] = $url;
        } else {
            // With the address before, the site might take real money over http, or with a service that is not meant.
            $next['mode'] = $stored['mode'] ?? Mode::Test->value;
        }
        foreach (Mode::cases() as $mode) {
            foreach (Settings::SECRETS as $name) {
                $next = $this->readSecret($next, $sent, $mode, $name);
            }
        }
        return $next;
    }

    /** The origin of the service; null where it is not one. */
    private function readUrl(string $text, Mode $mode): ?string
    {
        $text = rtrim((string) preg_replace('#/v1/?\z#', '', $text), '/');
        if ($text === '') {
            return '';
        }
        $parts = wp_parse_url($text);
        $scheme = $parts['scheme'] ?? '';
        if (!is_array($parts) || !in_array($scheme, ['http', 'https'], true) || !isset($parts['host']) || isset($parts['path'])) {
            $this->faults[] = __('The address of the service is not an address such as https://pay.example.', 'tua-payments');
            return null;
        }
        $isLocal = in_array($parts['host'], ['localhost', '127.0.0.1', '[::1]'], true);
        if ($mode === Mode::Live && $scheme === 'http' && !$isLocal) {
            $this->faults[] = __('In live mode the address of the service begins with https://.', 'tua-payments');
            return null;
        }
        return $text;
    }

    /**
     * An empty field keeps the secret, because the page never shows it.
     *
     * @param array<string, string> $next
     * @param array<string, mixed> $sent
     *
     * @return array<string, string>
     */
    private function readSecret(array $next, #[\SensitiveParameter] array $sent, Mode $mode, string $name): array
    {
        $field = "{$mode->value}_{$name}";
        if (($sent["{$field}_delete"] ?? '') === '1') {
            unset($next[$field]);
            return $next;
        }
        $secret = self::text($sent, $field);
        if ($secret === '') {
            return $next;
        }
        $fault = $name === 'secret_key' ? self::keyFault($secret, $mode) : self::webhookFault($secret);
        if ($fault !== null) {
            $this->faults[] = $fault;
            return $next;
        }
        if ($name === 'webhook_secret' && isset($next[$field]) && Vault::open($next[$field]) !== $secret) {
            $next["{$mode->value}_old_webhook_secret"] = $next[$field];
        }
        $next[$field] = Vault::seal($secret);
        return $next;
    }

    private static function keyFault(#[\SensitiveParameter] string $key, Mode $mode): ?string
    {
        if ($mode->fits($key)) {
            return null;
        }
        if ($mode === Mode::Live) {
            return __('The live key is not a secret key of live mode. It begins with tua_live_v2_, without spaces.', 'tua-payments');
        }
        return __('The test key is not a secret key of test mode. It begins with tua_test_v2_, without spaces.', 'tua-payments');
    }

    private static function webhookFault(#[\SensitiveParameter] string $secret): ?string
    {
        if (preg_match('/\Awhsec_[A-Za-z0-9+\/]{22,}={0,2}\z/', $secret) === 1) {
            return null;
        }
        return __('A webhook secret begins with whsec_, and is followed by letters, digits, + and /.', 'tua-payments');
    }

    /** @param array<string, mixed> $sent */
    private static function text(#[\SensitiveParameter] array $sent, string $name): string
    {
        return is_string($sent[$name] ?? null) ? trim($sent[$name]) : '';
    }
}
