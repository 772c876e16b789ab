<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Model\Model;

/**
 * Reads the members of a response. Throws an UnexpectedValueException for one that is absent or not as documented.
 *
 * @internal
 */
final class Reader
{
    /** @param array<mixed> $data */
    public static function string(array $data, string $name): string
    {
        return is_string($data[$name] ?? null) ? $data[$name] : throw self::fault($name);
    }

    /** @param array<mixed> $data */
    public static function int(array $data, string $name): int
    {
        return is_int($data[$name] ?? null) ? $data[$name] : throw self::fault($name);
    }

    /** @param array<mixed> $data */
    public static function bool(array $data, string $name): bool
    {
        return is_bool($data[$name] ?? null) ? $data[$name] : throw self::fault($name);
    }

    /**
     * Money as a decimal string. A float of an amount with at most 15 digits has exactly one decimal text of two places, so
     * this is exact; a sum with more places is a fault, and is not rounded.
     *
     * @param array<mixed> $data
     */
    public static function amount(array $data, string $name): string
    {
        $value = $data[$name] ?? null;
        if ((!is_int($value) && !is_float($value)) || abs($value) >= 1e13) {
            throw self::fault($name);
        }
        $text = number_format((float) $value, 2, '.', '');
        return (float) $text === (float) $value ? $text : throw self::fault($name);
    }

    /**
     * @param array<mixed> $data
     *
     * @return array<mixed>
     */
    public static function map(array $data, string $name): array
    {
        return is_array($data[$name] ?? null) ? $data[$name] : throw self::fault($name);
    }

    /**
     * @template T of \BackedEnum
     *
     * @param array<mixed> $data
     * @param class-string<T> $enum
     *
     * @return T
     */
    public static function enum(array $data, string $name, string $enum): \BackedEnum
    {
        return $enum::tryFrom(self::string($data, $name)) ?? throw self::fault($name);
    }

    /**
     * @template T of Model
     *
     * @param array<mixed> $data
     * @param class-string<T> $model
     *
     * @return T
     */
    public static function object(array $data, string $name, string $model): Model
    {
        return $model::fromArray(self::map($data, $name));
    }

    /**
     * @template T of Model
     *
     * @param array<mixed> $data
     * @param class-string<T> $model
     *
     * @return list<T>
     */
    public static function objects(array $data, string $name, string $model): array
    {
        return self::items($data, $name, $model::fromArray(...));
    }

    /**
     * @template T of object
     *
     * @param array<mixed> $data
     * @param \Closure(array<mixed>): T $read
     *
     * @return list<T>
     */
    public static function items(array $data, string $name, \Closure $read): array
    {
        $readItem = static fn (mixed $item): object => is_array($item) ? $read($item) : throw self::fault($name);
        return array_map($readItem, array_values(self::map($data, $name)));
    }

    private static function fault(string $name): \UnexpectedValueException
    {
        return new \UnexpectedValueException("the member {$name} is not as documented");
    }
}
