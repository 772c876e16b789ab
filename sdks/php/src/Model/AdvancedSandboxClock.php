<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** An advance of the sandbox clock, and what has become due. It is done within about a second. */
final class AdvancedSandboxClock extends Model
{
    private function __construct(
        /** What an advance of the sandbox clock has made due. */
        public readonly BecameDue $due,
        /** By how many seconds the clock was advanced. */
        public readonly int $seconds,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::object($data, 'due', BecameDue::class),
            Reader::int($data, 'seconds'),
        );
    }
}
