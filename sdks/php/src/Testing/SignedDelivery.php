<?php

declare(strict_types=1);

namespace Tua\Testing;

use Tua\Exception\UsageException;

/** A delivery as the service sends it: pass both to the webhook's route. */
final class SignedDelivery
{
    /** @param array<string, string> $headers */
    private function __construct(public readonly string $body, public readonly array $headers)
    {
    }

    /**
     * Signs an event with the secret of an endpoint.
     *
     * @param string|array<string, mixed> $event The name of an example, or a body of your own.
     */
    public static function of(#[\SensitiveParameter] string $secret, string|array $event, string $id = 'msg_test'): self
    {
        $content = is_string($event) ? self::exampleEvent($event) : $event;
        $body = json_encode($content, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        $timestamp = (string) time();
        $key = base64_decode(substr($secret, strlen('whsec_')), true) ?: throw new UsageException('The secret is not whsec_ and base64.');
        return new self($body, [
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $key, true)),
            'content-type' => 'application/json',
        ]);
    }

    /**
     * The body of an example of an event, such as "checkout.paid", as the OpenAPI document has it.
     *
     * @return array<string, mixed>
     */
    public static function exampleEvent(string $type): array
    {
        $examples = json_decode((string) file_get_contents(__DIR__ . '/events.json'), true, flags: JSON_THROW_ON_ERROR);
        return $examples[$type]
            ?? throw new UsageException("There is no event {$type}. There are " . implode(', ', array_keys($examples)) . '.');
    }
}
