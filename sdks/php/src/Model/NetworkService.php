<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** How a network is served in one direction. */
final class NetworkService extends Model
{
    private function __construct(
        /** The largest amount in GHS. Null where nobody serves the network. */
        public readonly ?string $max,
        /** The smallest amount in GHS. Null where nobody serves the network. */
        public readonly ?string $min,
        /** OPERATIONAL: as usual. DEGRADED: slower, or by a later choice. DOWN: not now, or not at all. */
        public readonly string $status,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            isset($data['max']) ? Reader::amount($data, 'max') : null,
            isset($data['min']) ? Reader::amount($data, 'min') : null,
            Reader::string($data, 'status'),
        );
    }
}
