<?php

declare(strict_types=1);

namespace Tua;

use Tua\Event\Event;
use Tua\Exception\UsageException;
use Tua\Exception\WebhookException;
use Tua\Internal\Json;
use Tua\Internal\Secret;

/** Verifies the webhooks of one endpoint, as Standard Webhooks 1.0 specifies. */
final class Webhook
{
    private const CLOCK_HINT = "Compare this machine's clock (NTP). An old delivery may also be one that somebody recorded.";

    private const EMPTY_SECRET =
        'A secret of Webhook is empty: is TUA_WEBHOOK_SECRET set for this process? `tua webhook add` and `tua listen` print it.';

    /** @var list<Secret> */
    private readonly array $secrets;

    /**
     * @param string|list<string|false|null>|false|null $secrets The secret of the endpoint, whsec_…. While it is being rotated:
     *     the new one and the old one. False, as `getenv` returns it, and null are refused with the name of the variable to set.
     * @param int $tolerance How far the time of a delivery may be from this machine's clock, in seconds.
     */
    public function __construct(#[\SensitiveParameter] string|array|false|null $secrets, private readonly int $tolerance = 300)
    {
        $list = is_array($secrets) ? array_values($secrets) : [$secrets];
        if ($list === []) {
            throw new UsageException(self::EMPTY_SECRET);
        }
        if ($tolerance <= 0) {
            throw new UsageException('tolerance is a number of seconds above 0.');
        }
        $this->secrets = array_map(self::readSecret(...), $list);
    }

    /**
     * The event of a delivery, if its signature is right. Throws a WebhookException otherwise.
     *
     * @param string $body The bytes as they arrived, before anything parsed them.
     * @param array<string, string|list<string>|null> $headers
     * @param int|null $now Seconds since 1970, for tests.
     */
    public function verify(string $body, array $headers, ?int $now = null): Event
    {
        $headers = array_change_key_case($headers);
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::readSignatures(self::header($headers, 'webhook-signature'));
        $this->checkTime($timestamp, $now ?? time());
        $isRight = false;
        foreach ($this->secrets as $secret) {
            $expected = hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $secret->reveal(), true);
            foreach ($signatures as $signature) {
                $isRight = hash_equals($expected, $signature) || $isRight;
            }
        }
        if (!$isRight) {
            throw new WebhookException(
                'signature_mismatch',
                'The signature does not match. Either the secret of Webhook (TUA_WEBHOOK_SECRET in the examples) is not the one ' .
                'that tua webhook add, tua webhook rotate or tua listen printed, or the body was changed before it was verified: ' .
                'verify the bytes as they arrived, before a framework parses them.'
            );
        }
        try {
            return Event::read($id, Json::decodeObject($body) ?? []);
        } catch (\UnexpectedValueException) {
            throw new WebhookException('invalid_body', 'The signature is right, but the body is not an event of Tua.');
        }
    }

    private function checkTime(string $timestamp, int $now): void
    {
        if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
            throw new WebhookException('invalid_timestamp', 'webhook-timestamp is not a number of seconds since 1970.');
        }
        $age = $now - (int) $timestamp;
        if ($age > $this->tolerance) {
            $message = "The delivery is {$age} s older than this clock. " . self::CLOCK_HINT;
            throw new WebhookException('timestamp_too_old', $message);
        }
        if ($age < -$this->tolerance) {
            $message = 'The delivery is ' . -$age . ' s ahead of this clock. ' . self::CLOCK_HINT;
            throw new WebhookException('timestamp_too_new', $message);
        }
    }

    private static function readSecret(#[\SensitiveParameter] string|false|null $secret): Secret
    {
        if ((string) $secret === '') {
            throw new UsageException(self::EMPTY_SECRET);
        }
        $isRight = preg_match('/\Awhsec_([A-Za-z0-9+\/]{22,}={0,2})\z/', $secret, $match) === 1;
        $bytes = $isRight ? base64_decode($match[1], true) : false;
        if ($bytes === false) {
            throw new UsageException('A webhook secret is whsec_ and base64, as `tua webhook add` printed it, without spaces.');
        }
        return new Secret($bytes);
    }

    /** @param array<string, string|list<string>|null> $headers */
    private static function header(array $headers, string $name): string
    {
        $values = (array) ($headers[$name] ?? []);
        if (count($values) !== 1 || $values[0] === '') {
            throw new WebhookException(
                'header_missing',
                "The header {$name} is absent, or there are several. This is no webhook of Tua.",
            );
        }
        return $values[0];
    }

    /** @return list<string> */
    private static function readSignatures(string $text): array
    {
        $signatures = [];
        foreach (explode(' ', $text) as $part) {
            $bytes = str_starts_with($part, 'v1,') ? base64_decode(substr($part, 3), true) : false;
            if ($bytes !== false) {
                $signatures[] = $bytes;
            }
        }
        return $signatures;
    }
}
