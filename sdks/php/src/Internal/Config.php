<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Exception\UsageException;

/**
 * The checked options of a client. Times are in seconds.
 *
 * @internal
 */
final class Config
{
    private const KEY = '/\A(tua_(test|live)_v2_|sk_(test|live)_)[A-Za-z0-9_-]+\z/';
    private const LOOPBACK = '/\A(localhost|127(\.[0-9]{1,3}){3}|\[::1\])\z/';

    public readonly Secret $secretKey;
    public readonly string $baseUrl;

    public function __construct(
        #[\SensitiveParameter] string $secretKey,
        string $baseUrl,
        public readonly float $timeout,
        public readonly float $totalTimeout,
        public readonly int $maxRetries,
    ) {
        self::checkKey($secretKey);
        $scheme = self::checkUrl($baseUrl);
        $isLive = preg_match('/\A(tua|sk)_live_/', $secretKey) === 1;
        if ($scheme === 'http' && $isLive && preg_match(self::LOOPBACK, (string) parse_url($baseUrl, PHP_URL_HOST)) !== 1) {
            throw new UsageException('A live key is sent over https only: change baseUrl to https://….');
        }
        foreach (['timeout' => $timeout, 'totalTimeout' => $totalTimeout, 'maxRetries' => $maxRetries] as $name => $value) {
            if (!is_finite($value) || $value < 0) {
                throw new UsageException("{$name} is {$value}. It is a number from 0.");
            }
        }
        $this->secretKey = new Secret($secretKey);
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    private static function checkKey(#[\SensitiveParameter] string $secretKey): void
    {
        if ($secretKey === '') {
            throw new UsageException('secretKey is empty: is TUA_SECRET_KEY set for this process?');
        }
        if (preg_match(self::KEY, $secretKey) === 1) {
            return;
        }
        throw new UsageException(
            str_starts_with($secretKey, 'tua_checkout_')
                ? "secretKey is a checkout token, which is for the payer's browser. Use the secret key tua_test_v2_… or tua_live_v2_…."
                : 'secretKey is not a secret key of Tua: it begins with tua_test_v2_ or tua_live_v2_, without spaces or quotes.'
        );
    }

    /** Checks the API root, and returns its scheme. */
    private static function checkUrl(string $baseUrl): string
    {
        if ($baseUrl === '') {
            throw new UsageException('baseUrl is empty: is TUA_API_URL set for this process? An example: https://pay.example/v1.');
        }
        $url = parse_url($baseUrl);
        $scheme = $url['scheme'] ?? '';
        if ($url === false || !in_array($scheme, ['https', 'http'], true) || !isset($url['host'])) {
            throw new UsageException("baseUrl is not an address. It is the API root, such as https://pay.example/v1.");
        }
        if (isset($url['user']) || isset($url['query']) || isset($url['fragment'])) {
            throw new UsageException('baseUrl has no user name, query or fragment.');
        }
        if (!str_ends_with(rtrim($url['path'] ?? '', '/'), '/v1')) {
            throw new UsageException('baseUrl must end with /v1: write ' . self::suggestUrl($url));
        }
        return $scheme;
    }

    /**
     * The same address with /v1 at its end.
     *
     * @param array<string, string|int> $url What parse_url returned.
     */
    private static function suggestUrl(array $url): string
    {
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        $path = preg_replace('~/v1/.*\z|/+\z~s', '', (string) ($url['path'] ?? ''));
        return "{$url['scheme']}://{$url['host']}{$port}{$path}/v1";
    }
}
