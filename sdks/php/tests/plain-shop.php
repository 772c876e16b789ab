<?php

// A shop without a framework, for MiddlewareTest. It prints the id of an endpoint that a ping names.

declare(strict_types=1);

use Tua\Event\Event;
use Tua\Event\PingEvent;
use Tua\Middleware\PlainWebhook;
use Tua\Tests\Deliveries;

require __DIR__ . '/bootstrap.php';

PlainWebhook::answer(Deliveries::webhook(), static function (Event $event): void {
    if (!$event instanceof PingEvent || $_SERVER['REQUEST_URI'] === '/fails') {
        throw new RuntimeException('the database is down: password hunter2');
    }
    header("x-endpoint: {$event->endpointId}");
});
