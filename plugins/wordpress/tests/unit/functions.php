<?php

// WooCommerce is active unless a test switches it off.
declare(strict_types=1);

namespace TuaPayments\WooCommerce;

function function_exists(string $name): bool
{
    return ($GLOBALS['isShopActive'] ?? true) && \function_exists($name);
}
