<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Exception\RequestException;

/**
 * An attempt without a usable response.
 *
 * @internal
 */
final class Failure
{
    /**
     * @param \Closure(bool, ?string): RequestException $error Makes the exception from outcomeUnknown and idempotencyKey.
     * @param bool $isAmbiguous Whether this attempt may have been executed.
     */
    public function __construct(
        public readonly \Closure $error,
        public readonly int $status,
        public readonly bool $isRetried,
        public readonly bool $isAmbiguous,
        public readonly ?float $retryAfter = null,
    ) {
    }
}
