<?php

declare(strict_types=1);

namespace Tua\Event;

use Tua\Internal\Reader;
use Tua\Model\Checkout;
use Tua\Model\Refund;
use Tua\Model\Transaction;

/** An event of a webhook or of the list of events. `instanceof` selects the type of `data`. */
abstract class Event
{
    private const TYPES = [
        'charge' => ['pending', 'action_required', 'successful', 'failed', 'delayed', 'conflict'],
        'payout' => ['pending', 'successful', 'failed', 'delayed', 'conflict', 'reversed'],
        'refund' => ['pending', 'successful', 'failed', 'delayed', 'conflict'],
        'checkout' => ['opened', 'paid', 'attempt_failed', 'expired', 'closed'],
    ];

    /**
     * @param string $id The same for every delivery of this event: ignore one that was processed already.
     * @param string $type Such as "charge.successful"; see docs/reference/webhooks.md.
     * @param string $timestamp When it happened (ISO 8601).
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
    ) {
    }

    /**
     * The event of the list of events. Throws an UnexpectedValueException where it is not as documented.
     *
     * @param array<mixed> $body
     *
     * @internal
     */
    public static function readRecorded(array $body): self
    {
        $id = Reader::string($body, 'eventId');
        if (array_key_exists('data', $body) && $body['data'] === null) {
            return new UnknownEvent($id, Reader::string($body, 'type'), Reader::string($body, 'timestamp'), null);
        }
        return self::read($id, $body);
    }

    /**
     * The event of a body. Throws an UnexpectedValueException where the body is not as documented.
     *
     * @param array<mixed> $body
     *
     * @internal
     */
    public static function read(string $id, array $body): self
    {
        $type = Reader::string($body, 'type');
        $timestamp = Reader::string($body, 'timestamp');
        $data = Reader::map($body, 'data');
        [$subject, $kind] = [...explode('.', $type, 2), ''];
        return match (true) {
            $type === 'ping' => new PingEvent($id, $type, $timestamp, Reader::string($data, 'endpointId')),
            !in_array($kind, self::TYPES[$subject] ?? [], true) => new UnknownEvent($id, $type, $timestamp, $data),
            $subject === 'checkout' => new CheckoutEvent($id, $type, $timestamp, Checkout::fromArray($data)),
            $subject === 'refund' => new RefundEvent($id, $type, $timestamp, Refund::fromArray($data)),
            default => new TransactionEvent($id, $type, $timestamp, Transaction::fromArray($data)),
        };
    }
}
