<?php

declare(strict_types=1);

namespace Tua;

/**
 * One page of a list. `nextCursor` is null on the last one.
 *
 * @template T of object
 */
final class Page
{
    /** @param list<T> $data */
    public function __construct(public readonly array $data, public readonly ?string $nextCursor)
    {
    }
}
