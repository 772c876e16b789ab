<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Tua\Event\Event;
use Tua\Exception\WebhookException;
use Tua\Webhook;

/** Answers webhooks: 204, 400 for a delivery that is not verified, 413 for a body that is too large, 500 where the handler threw. */
final class Responder
{
    /** The longest body of a webhook, in bytes. The service sends far less. */
    public const MAX_BODY_BYTES = 1_048_576;

    /** @var \Closure(Event): mixed */
    private readonly \Closure $handler;

    /**
     * @param callable(Event): mixed $handler What the shop does with an event. Where it throws, the service sends the event
     *     again.
     * @param (callable(\Throwable): mixed)|null $log What happens to refusals and to what the handler threw. PHP's error log
     *     where it is null.
     */
    public function __construct(private readonly Webhook $webhook, callable $handler, private readonly mixed $log = null)
    {
        $this->handler = $handler(...);
    }

    /**
     * The status and the text of the response. The text leaves the shop, so it holds nothing of what the handler threw.
     *
     * @param callable(): string $readBody
     * @param array<string, string|list<string>|null> $headers
     *
     * @return array{status: int, text: string}
     */
    public function respond(callable $readBody, array $headers): array
    {
        try {
            $event = $this->webhook->verify($readBody(), $headers);
        } catch (WebhookException $error) {
            self::write($error, $this->log);
            return ['status' => $error->status(), 'text' => "{$error->getMessage()}\n"];
        }
        try {
            ($this->handler)($event);
        } catch (\Throwable $error) {
            self::write($error, $this->log);
            return ['status' => 500, 'text' => "The shop could not process the event. Send it again.\n"];
        }
        return ['status' => 204, 'text' => ''];
    }

    /** @param (callable(\Throwable): mixed)|null $log */
    public static function write(\Throwable $error, ?callable $log): void
    {
        if ($log !== null) {
            $log($error);
        } elseif ($error instanceof WebhookException) {
            error_log("webhook: refused: {$error->getMessage()}");
        } else {
            error_log("webhook: {$error->getMessage()} ({$error->getFile()}:{$error->getLine()})");
        }
    }
}
