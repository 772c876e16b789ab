<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A webhook endpoint with its new secret. */
final class WebhookEndpointWithSecret extends Model
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
        /**
         * The secret that signs the events. It is in this one response. Null in the response to a repeated
         * request.
         */
        public readonly ?string $secret,
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
            isset($data['secret']) ? Reader::string($data, 'secret') : null,
            Reader::string($data, 'status'),
            Reader::string($data, 'url'),
        );
    }
}
