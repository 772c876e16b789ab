<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** Lets one request at a time do something, on all servers of the site. */
final class Lock
{
    /** After so many seconds the request that held the lock has certainly ended. */
    private const TIMEOUT = 120;

    /**
     * Runs $work alone. Returns false where another request is running it.
     *
     * @param callable(): void $work
     */
    public static function run(string $name, callable $work): bool
    {
        require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
        $lock = "tua_payments_{$name}";
        if (!\WP_Upgrader::create_lock($lock, self::TIMEOUT)) {
            return false;
        }
        try {
            $work();
            return true;
        } finally {
            \WP_Upgrader::release_lock($lock);
        }
    }
}
