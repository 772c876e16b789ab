<?php

declare(strict_types=1);

namespace Tua\Tests;

use Tua\Cart\CartCheckout;
use Tua\Cart\Donation;
use Tua\Cart\SoldItem;
use Tua\Tua;

/** The shop of sdks/conformance/carts.json. */
final class Carts
{
    public const KEY = 'tua_test_v2_conformance';

    /** @return array<string, mixed> */
    public static function read(): array
    {
        return json_decode((string) file_get_contents(Program::FOLDER . 'carts.json'), true, flags: JSON_THROW_ON_ERROR);
    }

    public static function shop(string $baseUrl, int $maxRetries = 3, mixed ...$options): CartCheckout
    {
        ['shop' => $shop] = self::read();
        $findItems = static function (array $skus) use ($shop): array {
            if (in_array($shop['broken'], $skus, true)) {
                throw new \RuntimeException('the database is down: password hunter2');
            }
            $items = array_filter($shop['items'], static fn (array $item): bool => in_array($item['sku'], $skus, true));
            return array_map(static fn (array $item): SoldItem => new SoldItem(...$item), $items);
        };
        $given = [
            'donation' => new Donation(...$shop['donation']),
            'returnUrl' => $shop['returnUrl'],
            'log' => static fn (\Throwable $error): bool => true,
            // No test shares its limits with another one.
            'limitsFile' => sys_get_temp_dir() . '/tua-carts-' . bin2hex(random_bytes(8)) . '.json',
        ];
        $tua = new Tua(self::KEY, $baseUrl, maxRetries: $maxRetries);
        $all = array_merge($given, $options);
        register_shutdown_function(static fn (): bool => @unlink($all['limitsFile']));
        return new CartCheckout($tua, $findItems, ...$all);
    }
}
