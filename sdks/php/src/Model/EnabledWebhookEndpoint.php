<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A webhook endpoint that was enabled. */
final class EnabledWebhookEndpoint extends Model
{
    private function __construct(
        /** A time in UTC, to the millisecond (ISO 8601). */
        public readonly string $createdAt,
        /** When it was disabled. Null while it is enabled. */
        public readonly ?string $disabledAt,
        public readonly string $endpointId,
        /** Whether real money moves (live) or the sandbox answers (test). */
        public readonly string $mode,
        /** Until when the previous secret signs too. Null where only one secret signs. */
        public readonly ?string $oldSecretUntil,
        /** How many events were recorded while it was disabled. With `resend` they are sent now. */
        public readonly int $recordedEvents,
        /**
         * The status of a webhook endpoint. DISABLED: its events are recorded, and not sent. REMOVED: it
         * receives no more events.
         */
        public readonly string $status,
        /** The address that events are sent to. */
        public readonly string $url,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'createdAt'),
            isset($data['disabledAt']) ? Reader::string($data, 'disabledAt') : null,
            Reader::string($data, 'endpointId'),
            Reader::string($data, 'mode'),
            isset($data['oldSecretUntil']) ? Reader::string($data, 'oldSecretUntil') : null,
            Reader::int($data, 'recordedEvents'),
            Reader::string($data, 'status'),
            Reader::string($data, 'url'),
        );
    }
}
