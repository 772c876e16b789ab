<?php

declare(strict_types=1);

namespace Tua\Event;

/** `ping`: what `tua webhook ping` sends. */
final class PingEvent extends Event
{
    public function __construct(string $id, string $type, string $timestamp, public readonly string $endpointId)
    {
        parent::__construct($id, $type, $timestamp);
    }
}
