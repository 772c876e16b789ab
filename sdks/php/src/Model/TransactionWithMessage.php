<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A transaction, with a text about the request, as a secret key sees it. */
final class TransactionWithMessage extends Model
{
    use Outcome;

    private function __construct(
        /** An amount in cedis with at most 2 decimals. It is never rounded. */
        public readonly string $amount,
        /** What the payer answered to the question of the payment link. Absent where nothing was asked. */
        public readonly ?string $answer,
        /** The batch of payouts that it is a line of. */
        public readonly ?string $batchId,
        /** The checkout session of the charge, or null. */
        public readonly ?string $checkoutId,
        /** How many codes may still be submitted. Null if no code is expected. */
        public readonly ?int $codeAttemptsLeft,
        /**
         * A final response that contradicts the final status. The status does not change. People must look at
         * it.
         */
        public readonly ?Conflict $conflict,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** The only currency. */
        public readonly string $currency,
        /** The payer's or recipient's e-mail address. */
        public readonly ?string $email,
        /** Why the payment failed. */
        public readonly ?Failure $failure,
        /** The result of the request, for people. */
        public readonly string $message,
        /**
         * @var array<mixed>|null The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of
         * JSON in all. No control characters, except tabs and line ends in values. It comes back as it was sent.
         */
        public readonly ?array $metadata,
        /** Whether real money moves (live) or the sandbox answers (test). */
        public readonly string $mode,
        /** A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable. */
        public readonly string $network,
        /**
         * What a pending transaction waits for. APPROVE_IN_DASHBOARD: a payout or refund that a person must
         * approve. WAIT: it was sent, and the outcome is not known yet. NONE: it is final.
         */
        public readonly string $nextAction,
        /**
         * The operator that serves it, by its name in the settings. Null in the sandbox, and while it waits for
         * an approval.
         */
        public readonly ?string $operator,
        /** The operator's fee in GHS. Null if the operator did not report one. */
        public readonly ?string $operatorFee,
        /** The operator's id of the transaction, as in the payer's SMS. Null until it is known. */
        public readonly ?string $operatorTransactionId,
        /** For a charge: a private note of the merchant. For a payout: a text that the recipient sees. */
        public readonly ?string $payeeNote,
        /** For a charge: a text that the payer sees. For a payout: a private note of the merchant. */
        public readonly ?string $payerMessage,
        /** What the operator is asked for: the amount, and the fee where the payer bears it. */
        public readonly string $payerPays,
        /** The payer's or recipient's number. For a checkout token, only the last three digits are readable. */
        public readonly string $phoneNumber,
        /** The merchant's own name for the payment. Generated where the request had none. */
        public readonly string $reference,
        /** What is left of a charge to refund, in GHS. Null for a payout. */
        public readonly ?string $refundableAmount,
        /** What the successful refunds of a charge returned, in GHS. Null for a payout. */
        public readonly ?string $refundedAmount,
        /** When the operator returned a successful payout. */
        public readonly ?string $reversedAt,
        /** The status of a transaction. SUCCESSFUL and FAILED are final. */
        public readonly Status $status,
        /** The identifier, for `GET /v1/status/{transactionId}` and `POST /v1/submit-otp`. */
        public readonly string $transactionId,
        /**
         * Which way the money goes: CHARGE from a payer to the merchant, PAYOUT from the merchant to a
         * recipient.
         */
        public readonly string $type,
        /** When the transaction last changed. */
        public readonly string $updatedAt,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::amount($data, 'amount'),
            isset($data['answer']) ? Reader::string($data, 'answer') : null,
            isset($data['batchId']) ? Reader::string($data, 'batchId') : null,
            isset($data['checkoutId']) ? Reader::string($data, 'checkoutId') : null,
            isset($data['codeAttemptsLeft']) ? Reader::int($data, 'codeAttemptsLeft') : null,
            isset($data['conflict']) ? Reader::object($data, 'conflict', Conflict::class) : null,
            Reader::string($data, 'createdAt'),
            Reader::string($data, 'currency'),
            isset($data['email']) ? Reader::string($data, 'email') : null,
            isset($data['failure']) ? Reader::object($data, 'failure', Failure::class) : null,
            Reader::string($data, 'message'),
            isset($data['metadata']) ? Reader::map($data, 'metadata') : null,
            Reader::string($data, 'mode'),
            Reader::string($data, 'network'),
            Reader::string($data, 'nextAction'),
            isset($data['operator']) ? Reader::string($data, 'operator') : null,
            isset($data['operatorFee']) ? Reader::amount($data, 'operatorFee') : null,
            isset($data['operatorTransactionId']) ? Reader::string($data, 'operatorTransactionId') : null,
            isset($data['payeeNote']) ? Reader::string($data, 'payeeNote') : null,
            isset($data['payerMessage']) ? Reader::string($data, 'payerMessage') : null,
            Reader::amount($data, 'payerPays'),
            Reader::string($data, 'phoneNumber'),
            Reader::string($data, 'reference'),
            isset($data['refundableAmount']) ? Reader::amount($data, 'refundableAmount') : null,
            isset($data['refundedAmount']) ? Reader::amount($data, 'refundedAmount') : null,
            isset($data['reversedAt']) ? Reader::string($data, 'reversedAt') : null,
            Reader::enum($data, 'status', Status::class),
            Reader::string($data, 'transactionId'),
            Reader::string($data, 'type'),
            Reader::string($data, 'updatedAt'),
        );
    }
}
