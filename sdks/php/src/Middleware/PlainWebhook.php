<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Tua\Event\Event;
use Tua\Exception\WebhookException;
use Tua\Webhook;

/** Webhooks in a PHP file without a framework. */
final class PlainWebhook
{
    private const ADVICE =
        'php://input is empty, as it is for multipart/form-data: webhooks have the type application/json. A proxy may have changed it.';

    /**
     * Answers the request that runs: `PlainWebhook::answer($webhook, function (Event $event) { … })`.
     *
     * @param callable(Event): mixed $handler
     * @param (callable(\Throwable): mixed)|null $log
     */
    public static function answer(Webhook $webhook, callable $handler, ?callable $log = null): void
    {
        ['status' => $status, 'text' => $text] = (new Responder($webhook, $handler, $log))->respond(self::readBody(...), self::headers());
        http_response_code($status);
        header('content-type: text/plain; charset=utf-8');
        echo $text;
    }

    private static function readBody(): string
    {
        $body = (string) file_get_contents('php://input', length: Responder::MAX_BODY_BYTES + 1);
        if (strlen($body) > Responder::MAX_BODY_BYTES) {
            throw WebhookException::bodyTooLarge();
        }
        if ($body === '' && (int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 0) {
            throw WebhookException::bodyParsed(self::ADVICE);
        }
        return $body;
    }

    /** @return array<string, string> */
    private static function headers(): array
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $value = $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
            if (is_string($value)) {
                $headers[$name] = $value;
            }
        }
        return $headers;
    }
}
