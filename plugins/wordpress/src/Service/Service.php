<?php

declare(strict_types=1);

namespace TuaPayments\Service;

use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\Vendor\GuzzleHttp\Psr7\HttpFactory;
use TuaPayments\Vendor\Tua\Exception\UsageException;
use TuaPayments\Vendor\Tua\Tua;

defined('ABSPATH') || exit;

/** The clients of the service. */
final class Service
{
    /** Seconds for one request. */
    private const TIMEOUT = 8.0;
    /** Seconds for a call with its repetitions: a visitor waits for it. */
    private const TOTAL_TIMEOUT = 12.0;

    /** A client with the key of this mode. Throws a UsageException where there is none. */
    public static function client(Mode $mode): Tua
    {
        $key = Settings::secretKey($mode);
        if ($key === null || Settings::serviceUrl() === '') {
            throw new UsageException("Tua Payments has no key or no service for {$mode->value} mode.");
        }
        $factory = new HttpFactory();
        $client = new WordPressHttpClient(self::TIMEOUT);
        return new Tua($key, Settings::baseUrl(), self::TIMEOUT, self::TOTAL_TIMEOUT, 2, $client, $factory, $factory);
    }
}
