<?php

declare(strict_types=1);

namespace Tua\Event;

/**
 * An event of a type that this version does not have, or whose data the service could not read: then `data` is null. Answer
 * 2xx and ignore it.
 */
final class UnknownEvent extends Event
{
    /** @param array<mixed>|null $data */
    public function __construct(string $id, string $type, string $timestamp, public readonly ?array $data)
    {
        parent::__construct($id, $type, $timestamp);
    }
}
