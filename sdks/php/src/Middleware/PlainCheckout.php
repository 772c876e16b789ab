<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Tua\Cart\CartCheckout;

/** Carts in a PHP file without a framework. */
final class PlainCheckout
{
    /** Answers the request that runs: `PlainCheckout::answer($cart)`. The address of the client is `REMOTE_ADDR`. */
    public static function answer(CartCheckout $cart): void
    {
        ['status' => $status, 'headers' => $headers, 'body' => $body] = $cart->respond(
            $_SERVER['CONTENT_TYPE'] ?? null,
            (string) file_get_contents('php://input', length: CartCheckout::MAX_BYTES + 1),
            $_SERVER['HTTP_CONTENT_ENCODING'] ?? null,
            $_SERVER['REMOTE_ADDR'] ?? null,
        );
        http_response_code($status);
        foreach ($headers as $name => $value) {
            header("{$name}: {$value}");
        }
        echo $body;
    }
}
