<?php

// A shop without a framework, for CartTest. The header x-base-url has the address of the service.

declare(strict_types=1);

use Tua\Middleware\PlainCheckout;
use Tua\Tests\Carts;

require __DIR__ . '/bootstrap.php';

PlainCheckout::answer(Carts::shop($_SERVER['HTTP_X_BASE_URL'], (int) $_SERVER['HTTP_X_MAX_RETRIES']));
