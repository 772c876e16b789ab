<?php

declare(strict_types=1);

namespace TuaPayments;

defined('ABSPATH') || exit;

/** This site, among all that share an account of the service. */
final class Site
{
    /** The address of the site, the same in each language: plug-ins change what home_url() returns. */
    public static function address(): string
    {
        return (string) get_option('home', '');
    }
}
