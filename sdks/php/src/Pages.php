<?php

declare(strict_types=1);

namespace Tua;

use Tua\Exception\UnexpectedResponseException;

/**
 * All items of a list, newest first. Pages are read as they are needed: `foreach ($pages as $item)`.
 *
 * @template T of object
 *
 * @implements \IteratorAggregate<int, T>
 */
final class Pages implements \IteratorAggregate
{
    /** @param \Closure(?string): Page<T> $read */
    public function __construct(private readonly \Closure $read)
    {
    }

    /**
     * One page: the first, or the one of a cursor.
     *
     * @return Page<T>
     */
    public function page(?string $cursor = null): Page
    {
        return ($this->read)($cursor);
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        $cursors = [];
        $cursor = null;
        do {
            $page = $this->page($cursor);
            foreach ($page->data as $item) {
                yield $item;
            }
            $cursor = $page->nextCursor;
            if ($cursor !== null && in_array($cursor, $cursors, true)) {
                throw new UnexpectedResponseException('A list has the same cursor twice, so it never ends.', 200, false, null);
            }
            $cursors[] = $cursor;
        } while ($cursor !== null);
    }
}
