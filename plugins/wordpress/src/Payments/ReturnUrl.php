<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Settings\Mode;

defined('ABSPATH') || exit;

/** The address to which the payer returns. The service takes https, and in test mode http on this machine. */
final class ReturnUrl
{
    /** @return array{returnUrl?: string} Nothing where the service would refuse the address: then there is no way back. */
    public static function request(string $url, Mode $mode): array
    {
        $parts = wp_parse_url($url);
        $scheme = $parts['scheme'] ?? '';
        $isLocal = in_array($parts['host'] ?? '', ['localhost', '127.0.0.1', '[::1]'], true);
        return $scheme === 'https' || ($mode === Mode::Test && $isLocal) ? ['returnUrl' => $url] : [];
    }
}
