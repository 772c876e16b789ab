<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Internal\Repetition;
use Tua\Model\EnabledWebhookEndpoint;
use Tua\Model\Model;
use Tua\Model\WebhookEndpoint;
use Tua\Model\WebhookEndpointWithSecret;
use Tua\Pages;

/** `/webhooks`: the addresses to which events are sent. The key needs the scope `webhooks`. */
final class WebhookEndpoints extends Resource
{
    /**
     * Adds an address. Store `secret`: it is not shown again. It is null where the endpoint was added by an earlier request
     * with the same key, whose response was lost: then rotate it.
     *
     * @param array{url: string} $request
     */
    public function create(array $request, ?string $idempotencyKey = null): WebhookEndpointWithSecret
    {
        $operation = Operation::begin('/webhooks', WebhookEndpointWithSecret::class, $request);
        return $this->transport->send($operation, $idempotencyKey);
    }

    /** The endpoint as it is now. */
    public function get(string $endpointId): WebhookEndpoint
    {
        return $this->transport->send(Operation::of('/webhooks', WebhookEndpoint::class, 'endpointId', $endpointId));
    }

    /**
     * All endpoints that were not removed, newest first.
     *
     * @return Pages<WebhookEndpoint>
     */
    public function list(?int $pageSize = null): Pages
    {
        return $this->pages('/webhooks', WebhookEndpoint::class, ['limit' => $pageSize]);
    }

    /**
     * Makes a new secret. The previous one signs too for `$overlapHours`, 0 to 2,160; 24 where it is null.
     *
     * A second rotation ends the secret from before the first one, so this is repeated only where it certainly did not reach
     * the service. After an exception with `outcomeUnknown`, compare `oldSecretUntil` of `get` with its value from before.
     */
    public function rotate(string $endpointId, ?int $overlapHours = null): WebhookEndpointWithSecret
    {
        $body = $overlapHours === null ? [] : ['overlapHours' => $overlapHours];
        return $this->change($endpointId, 'rotate', WebhookEndpointWithSecret::class, Repetition::Once, $body);
    }

    /** Sends new events to it from now on, and with `$resend` also those that were recorded while it was disabled. */
    public function enable(string $endpointId, bool $resend = false): EnabledWebhookEndpoint
    {
        $body = ['resend' => $resend];
        return $this->change($endpointId, 'enable', EnabledWebhookEndpoint::class, Repetition::Repeatable, $body);
    }

    /** Records events for 30 days, and does not send them. */
    public function disable(string $endpointId): WebhookEndpoint
    {
        return $this->change($endpointId, 'disable', WebhookEndpoint::class, Repetition::Repeatable);
    }

    /**
     * Removes an endpoint, which cannot be undone. `not_found` with `outcomeUnknown` means that an earlier attempt of this
     * call, whose response was lost, may have removed it.
     */
    public function remove(string $endpointId): WebhookEndpoint
    {
        return $this->change($endpointId, 'remove', WebhookEndpoint::class, Repetition::Repeatable);
    }

    /**
     * @template T of Model
     *
     * @param class-string<T> $model
     * @param array<string, mixed>|null $body
     *
     * @return T
     */
    private function change(string $id, string $action, string $model, Repetition $repetition, ?array $body = null): Model
    {
        return $this->transport->send(
            Operation::change('/webhooks', $model, 'endpointId', $id, $action, $repetition, $body),
        );
    }
}
