<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Vendor\Tua\Exception\ApiException;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Exception\UsageException;
use TuaPayments\Vendor\Tua\Tua;
use TuaPayments\Webhook\WebhookRoute;

defined('ABSPATH') || exit;

/** Checks in sentences what payments need: the service, the key and its scopes, and the route of the webhook. */
final class ConnectionCheck
{
    /** @return list<array{type: string, text: string}> */
    public static function run(Mode $mode): array
    {
        return [self::checkService($mode), self::checkRoute(), self::checkWebhook($mode)];
    }

    /** @return array{type: string, text: string} */
    private static function checkService(Mode $mode): array
    {
        try {
            self::checkScopes(Service::client($mode));
        } catch (ApiException $error) {
            return self::fault(match ($error->status) {
                401 => __('The service does not accept the secret key. Copy it again from the dashboard of Tua.', 'tua-payments'),
                403 => __('The key may not do what this plug-in needs: the scopes collect, read and refund.', 'tua-payments') . " ({$error->detail})",
                // translators: %s: the reason, in English.
                default => sprintf(__('The service refused the check: %s', 'tua-payments'), Log::withoutSecrets($error->getMessage())),
            });
        } catch (UsageException) {
            return self::fault(__('Enter the address of the service and a secret key, and save them.', 'tua-payments'));
        } catch (TuaException $error) {
            // translators: 1: an address, 2: the technical reason, in English.
            $text = __('No Tua service answers at %1$s. Check the address, and whether the service runs. The reason: %2$s', 'tua-payments');
            return self::fault(sprintf($text, Settings::serviceUrl(), Log::withoutSecrets($error->getMessage())));
        }
        $text = $mode === Mode::Live
            ? __('The service accepts the live key. Payments move real money.', 'tua-payments')
            : __('The service accepts the test key. No real money moves in test mode.', 'tua-payments');
        return ['type' => 'success', 'text' => $text];
    }

    /**
     * Throws where the key may not begin payments or refunds. The service looks at the scopes of a key first, then refuses
     * these amounts with 422, so nothing begins.
     */
    private static function checkScopes(Tua $client): void
    {
        foreach ([$client->checkouts, $client->refunds] as $resource) {
            try {
                $resource->create(['amount' => '0']);
            } catch (ApiException $error) {
                if ($error->status !== 422) {
                    throw $error;
                }
            }
        }
    }

    /**
     * Calls the route of the webhook as the service does, without a signature: an answer of 400 shows that it is reached.
     *
     * @return array{type: string, text: string}
     */
    private static function checkRoute(): array
    {
        $answer = wp_remote_post(WebhookRoute::url(), ['timeout' => 8, 'body' => '{}', 'headers' => ['content-type' => 'application/json']]);
        if (is_wp_error($answer)) {
            // translators: %s: the reason.
            return self::fault(sprintf(__('The site does not reach its own webhook address: %s', 'tua-payments'), $answer->get_error_message()));
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        if ($status !== 400) {
            // translators: %d: an HTTP status.
            return self::fault(sprintf(__('The webhook address answers with the status %d. A security plug-in or a firewall may block it.', 'tua-payments'), $status));
        }
        return ['type' => 'success', 'text' => __('The webhook address can be reached.', 'tua-payments')];
    }

    /** @return array{type: string, text: string} */
    private static function checkWebhook(Mode $mode): array
    {
        if (Settings::webhookSecrets($mode) === []) {
            return ['type' => 'warning', 'text' => __('No webhook secret is set. Payments are found by asking, about a minute later.', 'tua-payments')];
        }
        $last = (int) get_option("tua_payments_webhook_{$mode->value}");
        if ($last === 0) {
            return ['type' => 'warning', 'text' => __('No webhook has arrived in this mode yet. Send one with `tua webhook ping`.', 'tua-payments')];
        }
        // translators: %s: a period, such as "5 minutes".
        return ['type' => 'success', 'text' => sprintf(__('The last webhook arrived %s ago.', 'tua-payments'), human_time_diff($last))];
    }

    /** @return array{type: string, text: string} */
    private static function fault(string $text): array
    {
        return ['type' => 'error', 'text' => $text];
    }
}
