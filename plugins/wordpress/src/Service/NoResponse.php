<?php

declare(strict_types=1);

namespace TuaPayments\Service;

use TuaPayments\Vendor\Psr\Http\Client\ClientExceptionInterface;

defined('ABSPATH') || exit;

/** A request that got no response: what was asked for may have happened all the same. */
final class NoResponse extends \RuntimeException implements ClientExceptionInterface
{
}
