<?php

declare(strict_types=1);

namespace Tua\Internal;

/**
 * A usable response.
 *
 * @internal
 *
 * @template T of object
 */
final class Result
{
    /** @param T|null $value Null for 304: nothing has changed. */
    public function __construct(public readonly ?object $value, public readonly ?string $etag)
    {
    }
}
