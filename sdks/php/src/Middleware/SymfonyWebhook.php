<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Tua\Event\Event;
use Tua\Exception\WebhookException;
use Tua\Webhook;

/** Webhooks in Symfony, and in what uses its requests. */
final class SymfonyWebhook
{
    private const ADVICE = 'Do not call $request->getContent(true) before.';

    /** @param (callable(\Throwable): mixed)|null $log */
    public function __construct(private readonly Webhook $webhook, private readonly mixed $log = null)
    {
    }

    /**
     * The response of a controller: `return $this->webhook->answer($request, function (Event $event) { … });`.
     *
     * @param callable(Event): mixed $handler
     */
    public function answer(Request $request, callable $handler): Response
    {
        $responder = new Responder($this->webhook, $handler, $this->log);
        $response = $responder->respond(static fn (): string => self::readBody($request), $request->headers->all());
        return new Response($response['text'], $response['status'], ['content-type' => 'text/plain; charset=utf-8']);
    }

    /** @throws WebhookException where the stream of the body was read already, or the body is too large. */
    public static function readBody(Request $request): string
    {
        $length = (int) $request->headers->get('content-length', '0');
        if ($length > Responder::MAX_BODY_BYTES) {
            throw WebhookException::bodyTooLarge();
        }
        try {
            $body = $request->getContent();
        } catch (\LogicException) {
            throw WebhookException::bodyParsed(self::ADVICE);
        }
        if (strlen($body) > Responder::MAX_BODY_BYTES) {
            throw WebhookException::bodyTooLarge();
        }
        if ($body === '' && $length > 0) {
            throw WebhookException::bodyParsed(self::ADVICE);
        }
        return $body;
    }
}
