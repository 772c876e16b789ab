<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Event\Event;
use Tua\Exception\RequestException;
use Tua\Internal\Backoff;
use Tua\Internal\Follower;
use Tua\Internal\Operation;
use Tua\Internal\Repetition;
use Tua\Internal\Transport;
use Tua\Page;
use Tua\Pages;

/** `/events`: the events of 30 days. The first list begins the record, with the newest events of those days. */
final class Events extends Resource
{
    /** The event of an id, which is the `webhook-id` of its webhooks. */
    public function get(string $eventId): Event
    {
        $path = '/events/' . Operation::segment('eventId', $eventId);
        $expected = ['eventId' => $eventId];
        return $this->transport->send(
            new Operation('GET', $path, Repetition::Reads, Event::readRecorded(...), expected: $expected),
        );
    }

    /**
     * All events with these values, newest first: at `from` or later, and before `to` (ISO 8601).
     *
     * @param array{type?: string|list<string>, transactionId?: string, from?: string, to?: string} $filter
     *
     * @return Pages<Event>
     */
    public function list(array $filter = [], ?int $pageSize = null): Pages
    {
        $query = self::query($filter) + ['limit' => $pageSize];
        return new Pages(fn (?string $cursor): Page => $this->transport->send(
            Operation::listOf('/events', Event::readRecorded(...), $query + ['cursor' => $cursor]),
        ));
    }

    /**
     * Every event after the event `$after`, oldest first, and then those that come. Each is yielded once.
     *
     * Store the `id` of an event once it was processed, and pass it as `$after` when the program begins again: so no event of
     * the last 30 days is missed. An empty `$after` begins with the whole record; one that is older than the record is refused
     * with 422 `invalid_parameter`.
     *
     * It ends with `break`, or when `$stop` returns true, which is called before each request and each event. After the first
     * response it continues through broken connections, 408, 429 and 5xx, with growing pauses; it throws for any other refusal.
     *
     * @param array{type?: string|list<string>, transactionId?: string} $filter
     * @param int $waitSeconds How long one request waits for an event, 0 to 30. With another client than Guzzle it is at most
     *     2 seconds less than the client's `timeout`.
     * @param (callable(): bool)|null $stop
     *
     * @return \Generator<int, Event>
     */
    public function follow(
        string $after = '',
        array $filter = [],
        int $waitSeconds = 30,
        ?int $pageSize = null,
        ?callable $stop = null,
    ): \Generator {
        $isStopped = $stop ?? static fn (): bool => false;
        $follower = new Follower($after, $this->transport->config->maxRetries);
        $wait = $this->transport->limitPoll($waitSeconds);
        $timeout = $wait + $this->transport->config->timeout;
        while (!$isStopped()) {
            $asked = Backoff::now();
            $query = self::query($filter) + ['limit' => $pageSize, 'after' => $follower->after, 'wait' => $wait];
            $events = [];
            try {
                $poll = Operation::listOf('/events', Event::readRecorded(...), $query, $timeout);
                $received = $this->transport->sendOnce($poll, $timeout)->data;
                $follower->receive($received);
                $events = $received;
                $pause = $events === [] ? Transport::SHORTEST_INTERVAL - (Backoff::now() - $asked) : 0.0;
            } catch (RequestException $error) {
                $pause = $follower->pause($error);
            }
            foreach ($events as $event) {
                if ($isStopped()) {
                    return;
                }
                yield $event;
                $follower->advance($event);
            }
            Backoff::sleep($pause);
        }
    }

    /**
     * @param array<string, string|list<string>|null> $filter
     *
     * @return array<string, string|null>
     */
    private static function query(array $filter): array
    {
        $join = static fn (string|array|null $value): ?string => is_array($value) ? implode(',', $value) : $value;
        return array_map($join, $filter);
    }
}
