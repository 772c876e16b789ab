<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use PHPUnit\Framework\TestCase;
use TuaPayments\Settings\Vault;

/** A test whose requests are answered in the test. */
abstract class ServiceCase extends TestCase
{
    /** @var list<array{method: string, path: string, key: string|null, body: string}> */
    protected array $requests = [];

    protected function setUp(): void
    {
        $this->requests = [];
        $GLOBALS['post_meta'] = [];
        $GLOBALS['isShopActive'] = true;
        \WP_Upgrader::$isFree = true;
        $GLOBALS['options']['tua_payments'] = [
            'service_url' => 'http://127.0.0.1:1',
            'test_secret_key' => Vault::seal('tua_test_v2_' . str_repeat('a', 32)),
        ];
        ini_set('error_log', '/dev/null');
    }

    /** @param callable(string, string): (array<string, mixed>|null) $answer By method and path: a body; null for no answer. */
    protected function answer(callable $answer): void
    {
        $GLOBALS['service'] = function (string $method, string $path, array $headers, string $body) use ($answer): array|\WP_Error {
            $this->requests[] = ['method' => $method, 'path' => $path, 'key' => $headers['idempotency-key'] ?? null, 'body' => $body];
            $answered = $answer($method, $path);
            if ($answered === null) {
                return new \WP_Error('http', 'the connection broke');
            }
            $status = (int) ($answered['status-code'] ?? 200);
            unset($answered['status-code']);
            return ['status' => $status, 'body' => (string) json_encode($answered)];
        };
    }

    /** @return array<string, mixed> A session as the service sends it. */
    protected static function session(string $status, string $checkoutId = 'chk_1'): array
    {
        return [
            'amount' => 18, 'attemptsLeft' => 5, 'checkoutId' => $checkoutId, 'createdAt' => '', 'currency' => 'GHS', 'email' => null,
            'expiresAt' => '', 'linkId' => null, 'metadata' => null, 'mode' => 'test', 'paidTransaction' => null, 'reference' => 'wp-abcdefghjkmn',
            'returnUrl' => null, 'status' => $status, 'transaction' => null,
        ];
    }

    /** @return array<string, mixed> A session that was just opened. */
    protected static function opened(string $checkoutId): array
    {
        return [
            'status-code' => 201, 'checkoutId' => $checkoutId, 'checkoutToken' => "tua_checkout_{$checkoutId}", 'expiresAt' => '',
            'reference' => 'wp-abcdefghjkmn', 'url' => "http://127.0.0.1:1/pay?key={$checkoutId}",
        ];
    }
}
