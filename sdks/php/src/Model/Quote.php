<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** What a payment would cost if it began now. */
final class Quote extends Model
{
    private function __construct(
        /** The merchant's price of a charge, or what the recipient of a payout gets. */
        public readonly string $amount,
        /** The only currency. */
        public readonly string $currency,
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $expiresAt,
        /**
         * The operator's fee by its tariff. Null without a tariff, and for a checkout token where the merchant
         * bears it.
         */
        public readonly ?string $fee,
        /** The largest sum that the operator moves in one payment. */
        public readonly string $max,
        /**
         * What is left of a charge for the merchant. Null without a tariff, for a payout, and for a checkout
         * token.
         */
        public readonly ?string $merchantReceives,
        /** The smallest sum that the operator moves in one payment. */
        public readonly string $min,
        /** A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable. */
        public readonly string $network,
        /** The operator of the settings that would be chosen. Null for the sandbox, and for a checkout token. */
        public readonly ?string $operator,
        /** What the operator is asked for: the amount, and the fee where the payer bears it. */
        public readonly string $payerPays,
        /**
         * Which way the money goes: CHARGE from a payer to the merchant, PAYOUT from the merchant to a
         * recipient.
         */
        public readonly string $type,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::amount($data, 'amount'),
            Reader::string($data, 'currency'),
            Reader::string($data, 'expiresAt'),
            isset($data['fee']) ? Reader::amount($data, 'fee') : null,
            Reader::amount($data, 'max'),
            isset($data['merchantReceives']) ? Reader::amount($data, 'merchantReceives') : null,
            Reader::amount($data, 'min'),
            Reader::string($data, 'network'),
            isset($data['operator']) ? Reader::string($data, 'operator') : null,
            Reader::amount($data, 'payerPays'),
            Reader::string($data, 'type'),
        );
    }
}
