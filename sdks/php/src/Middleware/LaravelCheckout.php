<?php

declare(strict_types=1);

namespace Tua\Middleware;

use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;
use Tua\Cart\CartCheckout;

/**
 * Carts in Laravel: a controller, `Route::post('/checkout', LaravelCheckout::class)` in routes/api.php. Bind CartCheckout in a
 * service provider. The address of the client is `$request->ip()`, which follows the middleware TrustProxies.
 */
final class LaravelCheckout
{
    public function __construct(private readonly CartCheckout $cart)
    {
    }

    public function __invoke(Request $request): Response
    {
        return (new SymfonyCheckout($this->cart))->answer($request);
    }
}
