<?php

declare(strict_types=1);

namespace TuaPayments\Webhook;

use TuaPayments\Log;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\Vendor\Tua\Event\Event;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Webhook;

defined('ABSPATH') || exit;

/** The route that the service calls: POST /wp-json/tua-payments/v1/webhook. The signature over the raw bytes is its permission. */
final class WebhookRoute
{
    private const NAMESPACE = 'tua-payments/v1';
    private const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    /** The longest body that is read, in bytes. The service sends far less. */
    private const MAX_BODY_BYTES = 1_048_576;

    public static function register(): void
    {
        register_rest_route(self::NAMESPACE, '/webhook', [
            'methods' => 'POST',
            'callback' => self::receive(...),
            'permission_callback' => '__return_true',
        ]);
    }

    public static function url(): string
    {
        return rest_url(self::NAMESPACE . '/webhook');
    }

    public static function receive(\WP_REST_Request $request): \WP_REST_Response
    {
        $body = $request->get_body();
        if (strlen($body) > self::MAX_BODY_BYTES) {
            return self::answer(413, 'The body has more than 1 MiB.');
        }
        $headers = [];
        foreach (self::HEADERS as $name) {
            $headers[$name] = $request->get_header($name);
        }
        $why = 'No webhook secret is set.';
        foreach (Mode::cases() as $mode) {
            $secrets = Settings::webhookSecrets($mode);
            if ($secrets === []) {
                continue;
            }
            try {
                $event = (new Webhook($secrets))->verify($body, $headers);
            } catch (TuaException $error) {
                $why = $error->getMessage();
                continue;
            }
            return self::process($event, $mode);
        }
        Log::write("webhook: {$why}");
        return self::answer(400, $why);
    }

    /** The mode is that of the secret, so that no test event pays a live order. */
    private static function process(Event $event, Mode $mode): \WP_REST_Response
    {
        update_option("tua_payments_webhook_{$mode->value}", time(), false);
        try {
            EventHandler::handle($event, $mode);
        } catch (\Throwable $error) {
            Log::write("webhook {$event->type}: {$error->getMessage()}");
            return self::answer(500, 'The shop could not store the event. Send it again.');
        }
        return new \WP_REST_Response(null, 204);
    }

    private static function answer(int $status, string $message): \WP_REST_Response
    {
        return new \WP_REST_Response(['message' => $message], $status);
    }
}
