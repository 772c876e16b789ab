<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A batch of payouts. */
final class PayoutBatch extends Model
{
    private function __construct(
        /** The identifier, for GET /v1/payouts/batches/{batchId}. */
        public readonly string $batchId,
        /** The number of payouts. */
        public readonly int $count,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** The only currency. */
        public readonly string $currency,
        /** @var list<TransactionWithMessage> Each payout, in the order of the request. */
        public readonly array $payouts,
        /** The merchant's own name for the batch. Generated where the request had none. */
        public readonly string $reference,
        /** PENDING, or COMPLETED once every payout of the batch is final. */
        public readonly BatchStatus $status,
        /** A sum in GHS with at most 2 decimals. It may be zero. */
        public readonly string $total,
        /**
         * @var list<BatchWarning> Payouts that repeat an earlier one. They are no faults: the batch was begun
         * with them.
         */
        public readonly array $warnings,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'batchId'),
            Reader::int($data, 'count'),
            Reader::string($data, 'createdAt'),
            Reader::string($data, 'currency'),
            Reader::objects($data, 'payouts', TransactionWithMessage::class),
            Reader::string($data, 'reference'),
            Reader::enum($data, 'status', BatchStatus::class),
            Reader::amount($data, 'total'),
            Reader::objects($data, 'warnings', BatchWarning::class),
        );
    }
}
