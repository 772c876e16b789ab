<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** How a network is served. */
final class NetworkServices extends Model
{
    private function __construct(
        /** How a network is served in one direction. */
        public readonly NetworkService $charge,
        /**
         * Whether the network has ended, so that no new payment can begin on it any more. It is DOWN in both
         * directions.
         */
        public readonly bool $ended,
        /** The network that it became a part of, whose payments its new payments are. Null for the others. */
        public readonly ?string $movedTo,
        /** A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable. */
        public readonly string $network,
        /** How a network is served in one direction. */
        public readonly NetworkService $payout,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::object($data, 'charge', NetworkService::class),
            Reader::bool($data, 'ended'),
            isset($data['movedTo']) ? Reader::string($data, 'movedTo') : null,
            Reader::string($data, 'network'),
            Reader::object($data, 'payout', NetworkService::class),
        );
    }
}
