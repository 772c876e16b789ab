<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A payout of a batch that may be a mistake. */
final class BatchWarning extends Model
{
    private function __construct(
        /**
         * Why a payout of a batch may be a mistake. repeated_payout: an earlier payout has the same amount and
         * wallet.
         */
        public readonly string $code,
        /** The payout in the request, as a JSON pointer (RFC 6901). */
        public readonly string $pointer,
        /** The latest earlier payout of the same amount to the same wallet, in this batch or in the last 7 days. */
        public readonly string $transactionId,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'code'),
            Reader::string($data, 'pointer'),
            Reader::string($data, 'transactionId'),
        );
    }
}
