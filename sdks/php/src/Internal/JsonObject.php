<?php

declare(strict_types=1);

namespace Tua\Internal;

/**
 * An object of JSON, which stays one where it is empty.
 *
 * @internal
 */
final class JsonObject
{
    /** @param array<mixed> $members */
    public function __construct(public readonly array $members = [])
    {
    }

    /** The object that a value is. An empty array is one, because PHP writes it so. */
    public static function of(mixed $value): ?self
    {
        return $value === [] ? new self() : ($value instanceof self ? $value : null);
    }
}
