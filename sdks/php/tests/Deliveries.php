<?php

declare(strict_types=1);

namespace Tua\Tests;

use Tua\Webhook;

/** Signed deliveries for the tests of the middleware. */
final class Deliveries
{
    /** White space that a framework loses when it parses the body and writes it again. */
    public const PING = '{"type": "ping",  "timestamp": "2026-11-21T10:00:00.000Z", "data": {"endpointId": "whe_1"}}';

    public static function secret(): string
    {
        return 'whsec_' . base64_encode(str_repeat('m', 32));
    }

    public static function webhook(): Webhook
    {
        return new Webhook(self::secret());
    }

    public static function forged(): string
    {
        return strtr(self::PING, ['whe_1' => 'whe_2']);
    }

    /** One byte more than a webhook may have. */
    public static function large(): string
    {
        return str_repeat(' ', 1_048_577);
    }

    /** @return array<string, string> */
    public static function headers(): array
    {
        $timestamp = (string) time();
        $digest = hash_hmac('sha256', "msg_1.{$timestamp}." . self::PING, str_repeat('m', 32), true);
        return [
            'webhook-id' => 'msg_1',
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => 'v1,' . base64_encode($digest),
            'content-type' => 'application/json',
        ];
    }

    /**
     * The headers as PHP's `$_SERVER` has them.
     *
     * @return array<string, string>
     */
    public static function server(): array
    {
        $server = [];
        foreach (self::headers() as $name => $value) {
            $server[($name === 'content-type' ? '' : 'HTTP_') . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        return $server;
    }
}
