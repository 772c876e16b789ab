<?php

declare(strict_types=1);

namespace Tua\Exception;

/**
 * A response arrived that is not the service's: a page in HTML, half a document, a redirect, or the response to another
 * request. Nothing of it was used.
 */
final class UnexpectedResponseException extends RequestException
{
    /** @param int $status The HTTP status of this response. */
    public function __construct(
        string $message,
        public readonly int $status,
        bool $outcomeUnknown,
        ?string $idempotencyKey,
    ) {
        parent::__construct($message, $outcomeUnknown, $idempotencyKey);
    }
}
