<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Tua\Cart\CartCheckout;

/** Carts in Symfony, and in what uses its requests. */
final class SymfonyCheckout
{
    public function __construct(private readonly CartCheckout $cart)
    {
    }

    /** The response of a controller: `return $this->checkout->answer($request);`. The address of the client is `getClientIp()`. */
    public function answer(Request $request): Response
    {
        $isLong = (int) $request->headers->get('content-length', '0') > CartCheckout::MAX_BYTES;
        $response = $this->cart->respond(
            $request->headers->get('content-type'),
            $isLong ? str_repeat(' ', CartCheckout::MAX_BYTES + 1) : $request->getContent(),
            $request->headers->get('content-encoding'),
            $request->getClientIp(),
        );
        return new Response($response['body'], $response['status'], $response['headers']);
    }
}
