<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;
use Tua\Event\Event;
use Tua\Exception\WebhookException;
use Tua\Webhook;

/**
 * Webhooks in Laravel: a middleware that lets verified deliveries through. Register the route in routes/api.php, where forms
 * are not checked against forgery, or add it to the exceptions of VerifyCsrfToken.
 */
final class VerifyTuaWebhook
{
    private const ATTRIBUTE = 'tua.event';

    /** @param (callable(\Throwable): mixed)|null $log What happens to refusals. PHP's error log where it is null. */
    public function __construct(private readonly Webhook $webhook, private readonly mixed $log = null)
    {
    }

    /** What the controller throws, Laravel reports and answers with 500, so that the event is sent again. */
    public function handle(Request $request, \Closure $next): Response
    {
        try {
            $event = $this->webhook->verify(SymfonyWebhook::readBody($request), $request->headers->all());
        } catch (WebhookException $error) {
            Responder::write($error, $this->log);
            return new Response("{$error->getMessage()}\n", $error->status(), ['content-type' => 'text/plain; charset=utf-8']);
        }
        $request->attributes->set(self::ATTRIBUTE, $event);
        return $next($request);
    }

    /** The verified event of a request, for the controller. */
    public static function event(Request $request): Event
    {
        $event = $request->attributes->get(self::ATTRIBUTE);
        return $event instanceof Event ? $event : throw new \LogicException(
            'The route lacks the middleware VerifyTuaWebhook, or this is not the request that the middleware handled: ' .
            'pass the Request that Laravel gives to the controller.'
        );
    }
}
