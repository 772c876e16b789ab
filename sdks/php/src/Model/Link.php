<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A payment link: its terms, its address, and what has been paid with it. */
final class Link extends Model
{
    private function __construct(
        /** What each payer pays. Null where the payer chooses. */
        public readonly ?string $amount,
        /**
         * What payers can type at /l instead: 8 characters without 0, O, 1, I and L. Case, spaces and dashes do
         * not matter.
         */
        public readonly string $code,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** The only currency. */
        public readonly string $currency,
        /** More for payers to read. */
        public readonly ?string $description,
        /** When the link ends. Null for never. */
        public readonly ?string $expiresAt,
        public readonly string $linkId,
        /** The largest amount that a payer may choose. */
        public readonly ?string $maxAmount,
        /**
         * @var array<mixed>|null The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of
         * JSON in all. No control characters, except tabs and line ends in values. It comes back as it was sent.
         */
        public readonly ?array $metadata,
        /** The smallest amount that a payer may choose. */
        public readonly ?string $minAmount,
        /** Whether real money moves (live) or the sandbox answers (test). */
        public readonly string $mode,
        /** The sum of these charges, in GHS; 0 before the first one. */
        public readonly string $paidAmount,
        /** How many charges of the link are SUCCESSFUL. */
        public readonly int $payments,
        /** A picture of the URL as a QR code, in SVG. */
        public readonly string $qr,
        /** What payers must answer before they pay. Absent where nothing is asked. */
        public readonly ?string $question,
        /** The merchant's reference. The link's sessions and charges have it too. */
        public readonly string $reference,
        /** The status of a payment link. USED: it could be paid once, and was paid. */
        public readonly string $status,
        /** What payers read first. */
        public readonly string $title,
        /** The page on which payers pay. */
        public readonly string $url,
        /** How often the link can be paid. single: once; over all its sessions at most one charge is not FAILED. */
        public readonly string $uses,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            isset($data['amount']) ? Reader::amount($data, 'amount') : null,
            Reader::string($data, 'code'),
            Reader::string($data, 'createdAt'),
            Reader::string($data, 'currency'),
            isset($data['description']) ? Reader::string($data, 'description') : null,
            isset($data['expiresAt']) ? Reader::string($data, 'expiresAt') : null,
            Reader::string($data, 'linkId'),
            isset($data['maxAmount']) ? Reader::amount($data, 'maxAmount') : null,
            isset($data['metadata']) ? Reader::map($data, 'metadata') : null,
            isset($data['minAmount']) ? Reader::amount($data, 'minAmount') : null,
            Reader::string($data, 'mode'),
            Reader::amount($data, 'paidAmount'),
            Reader::int($data, 'payments'),
            Reader::string($data, 'qr'),
            isset($data['question']) ? Reader::string($data, 'question') : null,
            Reader::string($data, 'reference'),
            Reader::string($data, 'status'),
            Reader::string($data, 'title'),
            Reader::string($data, 'url'),
            Reader::string($data, 'uses'),
        );
    }
}
