<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A final response that contradicts the final status. The status does not change. People must look at it. */
final class Conflict extends Model
{
    private function __construct(
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $at,
        /** The status that a person found to be right. Null until the conflict is reviewed. */
        public readonly ?Status $decision,
        /** The status of a transaction. SUCCESSFUL and FAILED are final. */
        public readonly Status $observed,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'at'),
            isset($data['decision']) ? Reader::enum($data, 'decision', Status::class) : null,
            Reader::enum($data, 'observed', Status::class),
        );
    }
}
