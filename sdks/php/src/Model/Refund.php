<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** The return of a charge's money to its payer. */
final class Refund extends Model
{
    use Outcome;

    private function __construct(
        /** An amount in cedis with at most 2 decimals. It is never rounded. */
        public readonly string $amount,
        /**
         * A final response that contradicts the final status. The status does not change. People must look at
         * it.
         */
        public readonly ?Conflict $conflict,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** The only currency. */
        public readonly string $currency,
        /** Why the payment failed. */
        public readonly ?Failure $failure,
        /** How the money returns. Null while the refund waits for an approval. */
        public readonly ?string $method,
        /**
         * What a pending transaction waits for. APPROVE_IN_DASHBOARD: a payout or refund that a person must
         * approve. WAIT: it was sent, and the outcome is not known yet. NONE: it is final.
         */
        public readonly string $nextAction,
        /**
         * The operator that returns it, by its name in the settings. Null in the sandbox, and while it waits for
         * an approval.
         */
        public readonly ?string $operator,
        /** The merchant's own reason. */
        public readonly ?string $reason,
        /** The identifier, for `GET /v1/refunds/{refundId}`. */
        public readonly string $refundId,
        /** The status of a transaction. SUCCESSFUL and FAILED are final. */
        public readonly Status $status,
        /** The identifier of the charge whose money is returned. */
        public readonly string $transactionId,
        /** When the refund last changed. */
        public readonly string $updatedAt,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::amount($data, 'amount'),
            isset($data['conflict']) ? Reader::object($data, 'conflict', Conflict::class) : null,
            Reader::string($data, 'createdAt'),
            Reader::string($data, 'currency'),
            isset($data['failure']) ? Reader::object($data, 'failure', Failure::class) : null,
            isset($data['method']) ? Reader::string($data, 'method') : null,
            Reader::string($data, 'nextAction'),
            isset($data['operator']) ? Reader::string($data, 'operator') : null,
            isset($data['reason']) ? Reader::string($data, 'reason') : null,
            Reader::string($data, 'refundId'),
            Reader::enum($data, 'status', Status::class),
            Reader::string($data, 'transactionId'),
            Reader::string($data, 'updatedAt'),
        );
    }
}
