<?php

// The cookies that were sent are in $GLOBALS['cookies'].
declare(strict_types=1);

namespace TuaPayments\Front;

function setcookie(string $name, string $value, array $options): bool
{
    $GLOBALS['cookies'][] = $value;
    return true;
}

function is_ssl(): bool
{
    return true;
}
