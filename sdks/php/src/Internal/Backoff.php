<?php

declare(strict_types=1);

namespace Tua\Internal;

use Psr\Http\Message\ResponseInterface;

/** @internal */
final class Backoff
{
    private const FIRST_DELAY = 0.25;
    private const LONGEST_DELAY = 8.0;

    /** Seconds before the next attempt: exponential, with jitter, and never before Retry-After. */
    public static function delay(int $attempt, ?float $retryAfter): float
    {
        $delay = min(self::LONGEST_DELAY, self::FIRST_DELAY * 2 ** $attempt);
        return max($retryAfter ?? 0.0, 0.0) + $delay * (0.5 + random_int(0, 1000) / 2000);
    }

    /**
     * Seconds of Retry-After: a number, or a date that is compared with the response's own Date, so that a wrong clock of
     * this machine does not matter. Null where it is absent or neither.
     */
    public static function retryAfter(ResponseInterface $response): ?float
    {
        $value = trim($response->getHeaderLine('retry-after'));
        if (preg_match('/\A[0-9]{1,9}\z/', $value) === 1) {
            return (float) $value;
        }
        $until = $value === '' ? false : strtotime($value);
        if ($until === false) {
            return null;
        }
        $from = strtotime($response->getHeaderLine('date'));
        return (float) max(0, $until - ($from === false ? time() : $from));
    }

    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) round(max(0.0, $seconds) * 1e6));
    }
}
