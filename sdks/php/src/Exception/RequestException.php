<?php

declare(strict_types=1);

namespace Tua\Exception;

/** A request that was sent and has no usable result. */
abstract class RequestException extends TuaException
{
    /**
     * @param bool $outcomeUnknown Whether the request may have been executed. True after a broken connection, a timeout or a
     *     5xx of a request that begins or changes something. With a key of the caller it is also true where the service
     *     refused before it read the key (401, 403, 408, 413, 429, 503): an earlier call with this key may have been
     *     executed. Repeat it later with the same key, and tell nobody that no money moved.
     * @param string|null $idempotencyKey The Idempotency-Key of the request; null for a request that has none.
     */
    public function __construct(
        string $message,
        public readonly bool $outcomeUnknown,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($message);
    }
}
