<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/** Lets one request at a time do something, on all servers of the site. */
final class Lock
{
    /** After so many seconds the request that held the lock has certainly ended. */
    private const TIMEOUT = 120;
    /** How often wait() tries, and how long it pauses between, in microseconds: ten seconds in all. */
    private const TRIES = 40;
    private const PAUSE = 250_000;

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

    /**
     * As run(), but waits where another request is running it. Returns false where that one does not end.
     *
     * @param callable(): void $work
     */
    public static function wait(string $name, callable $work): bool
    {
        for ($try = 0; $try < self::TRIES; $try++) {
            if (self::run($name, $work)) {
                return true;
            }
            usleep(self::PAUSE);
        }
        return false;
    }
}
