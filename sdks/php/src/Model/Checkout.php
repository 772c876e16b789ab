<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A checkout session, as secret keys and webhooks see it. */
final class Checkout extends Model
{
    private function __construct(
        /** An amount in cedis with at most 2 decimals. It is never rounded. */
        public readonly string $amount,
        /** What the payer answered to the question of the payment link. Absent where nothing was asked. */
        public readonly ?string $answer,
        /** 5 minus the charges so far. Charges are accepted only while the session is open. */
        public readonly int $attemptsLeft,
        public readonly string $checkoutId,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** The only currency. */
        public readonly string $currency,
        /** The payer's e-mail address; null where the payer of a payment link gave none. */
        public readonly ?string $email,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $expiresAt,
        /** The payment link that opened the session. */
        public readonly ?string $linkId,
        /**
         * @var array<mixed>|null The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of
         * JSON in all. No control characters, except tabs and line ends in values. It comes back as it was sent.
         */
        public readonly ?array $metadata,
        /** Whether real money moves (live) or the sandbox answers (test). */
        public readonly string $mode,
        /**
         * The charge that brought the money: only this one can be refunded. It is `SUCCESSFUL`, or it is
         * `FAILED` and its operator reported later that it was paid. Null while nothing is paid, and where a
         * review found that no money arrived.
         */
        public readonly ?Transaction $paidTransaction,
        /** The merchant's own name for the session. Generated where the request had none. */
        public readonly string $reference,
        /** The address that the hosted page offers to go back to. Null without one. */
        public readonly ?string $returnUrl,
        /**
         * The status of a session. PENDING: a charge is not final yet. EXPIRED and CLOSED: it was not paid, and
         * takes no charge.
         */
        public readonly CheckoutStatus $status,
        /**
         * The pending charge; where there is none, the latest, which may be another one than the one that paid.
         * Null before the first one.
         */
        public readonly ?Transaction $transaction,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::amount($data, 'amount'),
            isset($data['answer']) ? Reader::string($data, 'answer') : null,
            Reader::int($data, 'attemptsLeft'),
            Reader::string($data, 'checkoutId'),
            Reader::string($data, 'createdAt'),
            Reader::string($data, 'currency'),
            isset($data['email']) ? Reader::string($data, 'email') : null,
            Reader::string($data, 'expiresAt'),
            isset($data['linkId']) ? Reader::string($data, 'linkId') : null,
            isset($data['metadata']) ? Reader::map($data, 'metadata') : null,
            Reader::string($data, 'mode'),
            isset($data['paidTransaction']) ? Reader::object($data, 'paidTransaction', Transaction::class) : null,
            Reader::string($data, 'reference'),
            isset($data['returnUrl']) ? Reader::string($data, 'returnUrl') : null,
            Reader::enum($data, 'status', CheckoutStatus::class),
            isset($data['transaction']) ? Reader::object($data, 'transaction', Transaction::class) : null,
        );
    }
}
