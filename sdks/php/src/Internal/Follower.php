<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Event\Event;
use Tua\Exception\ApiException;
use Tua\Exception\ConnectionException;
use Tua\Exception\RequestException;
use Tua\Exception\UnexpectedResponseException;

/**
 * Where a follower is in the record of events, and what it does after a failed request.
 *
 * @internal
 */
final class Follower
{
    /** An event that is older may have left the record, which has 30 days. In seconds; clocks may differ by the rest. */
    private const RECORD_AGE = 29 * 86_400;

    private ?Event $last = null;
    private bool $isFirst = true;
    private int $failures = 0;

    /** @param string $after The id of the event that was yielded last; empty before the first one. */
    public function __construct(public string $after, private readonly int $maxRetries)
    {
    }

    /**
     * Takes the events of a response. Throws an UnexpectedResponseException where they never end.
     *
     * @param list<Event> $events
     */
    public function receive(array $events): void
    {
        foreach ($events as $event) {
            if ($event->id === $this->after) {
                $message = 'The events after an event have this event, so they never end.';
                throw new UnexpectedResponseException($message, 200, false, null);
            }
        }
        $this->isFirst = false;
        $this->failures = 0;
    }

    /** Continues after this event, which was yielded. */
    public function advance(Event $event): void
    {
        $this->last = $event;
        $this->after = $event->id;
    }

    /**
     * Seconds before the next request. Throws the exception where there is none: another refusal than 408, 429 and 5xx, no
     * first response after `maxRetries` repetitions, or no response that can be used after so many.
     */
    public function pause(RequestException $error): float
    {
        $isRefused = !$this->isFirst && $this->after !== '' && self::isRefusedPosition($error);
        if ($isRefused && self::mayHaveLeft($this->last)) {
            // No event came for 30 days, so the record has no event that was not seen.
            $this->after = '';
            return 0.0;
        }
        $isOutage = self::isOutage($error);
        $isUnusable = $error instanceof UnexpectedResponseException && $error->status < 300;
        $isLimited = $this->isFirst || !$isOutage;
        if (!($isOutage || $isUnusable) || ($isLimited && $this->failures >= $this->maxRetries)) {
            throw $error;
        }
        return Backoff::delay($this->failures++, $error instanceof ApiException ? $error->retryAfter : null);
    }

    /**
     * Whether the last event is so old that the record may not have it any more. True where none was yielded: then it was
     * there at the first response. A newer event that is absent was lost with a database, so the caller decides.
     */
    private static function mayHaveLeft(?Event $last): bool
    {
        $time = $last === null ? 0 : strtotime($last->timestamp);
        return $time !== false && time() - $time > self::RECORD_AGE;
    }

    /** Whether the record does not have the event after which it asks. */
    private static function isRefusedPosition(RequestException $error): bool
    {
        return $error instanceof ApiException && $error->status === 422 && $error->errorCode === 'invalid_parameter';
    }

    /** Whether the service was not reached, or could not serve the request. */
    private static function isOutage(RequestException $error): bool
    {
        if ($error instanceof ConnectionException) {
            return true;
        }
        $hasStatus = $error instanceof ApiException || $error instanceof UnexpectedResponseException;
        return $hasStatus && ($error->status >= 500 || in_array($error->status, [408, 429], true));
    }
}
