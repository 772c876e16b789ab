<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** What an advance of the sandbox clock has made due. */
final class BecameDue extends Model
{
    private function __construct(
        /** Payouts and refunds that nobody approved in time. */
        public readonly int $approvals,
        /** Checkout sessions whose time has ended. */
        public readonly int $checkouts,
        /** Pending payments that are announced as delayed. */
        public readonly int $delayed,
        /** Webhook deliveries that failed and are sent again. */
        public readonly int $deliveries,
        /** Payment links whose time has ended. */
        public readonly int $links,
        /** Pending payments about which the sandbox is asked. */
        public readonly int $payments,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::int($data, 'approvals'),
            Reader::int($data, 'checkouts'),
            Reader::int($data, 'delayed'),
            Reader::int($data, 'deliveries'),
            Reader::int($data, 'links'),
            Reader::int($data, 'payments'),
        );
    }
}
