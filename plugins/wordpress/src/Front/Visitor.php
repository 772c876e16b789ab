<?php

declare(strict_types=1);

namespace TuaPayments\Front;

defined('ABSPATH') || exit;

/** The browser of a payer, so that a second tab continues the same payment instead of beginning another one. */
final class Visitor
{
    private const COOKIE = 'tua_payments_visitor';
    private const LIFETIME = DAY_IN_SECONDS;
    /** How many payments one address may begin in ten minutes. Visitors behind one proxy share one, unless a filter tells them apart. */
    private const RATE_LIMIT = 300;
    private const RATE_PERIOD = 10 * MINUTE_IN_SECONDS;

    /** The name of the visitor in the database. Sets the cookie on the first payment, never on a page that is only read. */
    public static function id(): string
    {
        $cookie = sanitize_text_field(wp_unslash($_COOKIE[self::COOKIE] ?? ''));
        if (preg_match('/\A[0-9a-f]{32}\z/', $cookie) !== 1) {
            $cookie = bin2hex(random_bytes(16));
        }
        setcookie(self::COOKIE, $cookie, [
            'expires' => time() + self::LIFETIME,
            'path' => COOKIEPATH ?: '/',
            'domain' => (string) COOKIE_DOMAIN,
            'secure' => is_ssl(),
            'httponly' => true,
            'samesite' => 'Lax',
        ]);
        return hash('sha256', $cookie);
    }

    /** Whether the visitor's address may begin another payment now. */
    public static function mayBegin(): bool
    {
        /**
         * The address of the visitor. Behind a proxy, all visitors have the proxy's: such a site returns here what its proxy
         * says of them, which no visitor may be able to set.
         *
         * @param string $address
         */
        $address = (string) apply_filters('tua_payments_client_address', sanitize_text_field(wp_unslash($_SERVER['REMOTE_ADDR'] ?? '')));
        $name = 'tua_payments_rate_' . hash('sha256', $address . intdiv(time(), self::RATE_PERIOD) . wp_salt('nonce'));
        $count = (int) get_transient($name);
        /**
         * How many payments one address may begin in ten minutes.
         *
         * @param int $limit
         */
        if ($count >= (int) apply_filters('tua_payments_rate_limit', self::RATE_LIMIT)) {
            return false;
        }
        set_transient($name, $count + 1, self::RATE_PERIOD);
        return true;
    }
}
