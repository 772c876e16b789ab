<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** Another request is changing the same purchase, and did not end while this one waited. Nothing was stored: try again later. */
final class Busy extends \RuntimeException
{
}
