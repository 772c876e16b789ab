<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** Why the payment failed. */
final class Failure extends Model
{
    private function __construct(
        /** Why a payment did not happen. No money moved. */
        public readonly string $code,
        /** A text for people. */
        public readonly string $message,
        /** Whether a new transaction with the same data may succeed. */
        public readonly bool $retryable,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'code'),
            Reader::string($data, 'message'),
            Reader::bool($data, 'retryable'),
        );
    }
}
