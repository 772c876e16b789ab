<?php

declare(strict_types=1);

namespace TuaPayments\Front;

use TuaPayments\Payments\Lock;

defined('ABSPATH') || exit;

/** The browser of a payer, so that a second tab continues the same payment instead of beginning another one. */
final class Visitor
{
    private const COOKIE = 'tua_payments_visitor';
    private const LIFETIME = DAY_IN_SECONDS;
    /** For so many seconds, presses without a cookie from one address and program, with one e-mail address, are of one visitor. */
    private const PRESS_PERIOD = 60;
    /** How many payments one address may begin in ten minutes. Visitors behind one proxy share one, unless a filter tells them apart. */
    private const RATE_LIMIT = 300;
    private const RATE_PERIOD = 10 * MINUTE_IN_SECONDS;

    /**
     * Runs $work with the name of the visitor in the database, in one request of the visitor at a time: two presses of a button
     * are two requests at the same moment. Sets the cookie, on the first payment and never on a page that is only read. Returns
     * false where another request does not end.
     *
     * @param callable(string): void $work
     */
    public static function alone(string $email, callable $work): bool
    {
        $cookie = self::cookie();
        $press = self::press($email);
        $name = 'visitor_' . ($cookie === null ? $press : hash('sha256', $cookie));
        return Lock::wait($name, static function () use ($cookie, $press, $work): void {
            $cookie ??= self::newCookie($press);
            self::sendCookie($cookie);
            $work(hash('sha256', $cookie));
        });
    }

    /** The cookie of the browser; null before its first payment. */
    private static function cookie(): ?string
    {
        $cookie = sanitize_text_field(wp_unslash($_COOKIE[self::COOKIE] ?? ''));
        return preg_match('/\A[0-9a-f]{32}\z/', $cookie) === 1 ? $cookie : null;
    }

    /** What is known of a browser without a cookie. */
    private static function press(string $email): string
    {
        $browser = sanitize_text_field(wp_unslash($_SERVER['HTTP_USER_AGENT'] ?? ''));
        return hash_hmac('sha256', implode("\n", [self::address(), $browser, $email]), wp_salt('nonce'));
    }

    /** A new cookie, or the one that an earlier press of the same form got, whose response the browser did not wait for. */
    private static function newCookie(string $press): string
    {
        $name = "tua_payments_visitor_{$press}";
        $cookie = get_transient($name);
        if (!is_string($cookie)) {
            $cookie = bin2hex(random_bytes(16));
            set_transient($name, $cookie, self::PRESS_PERIOD);
        }
        return $cookie;
    }

    private static function sendCookie(string $cookie): void
    {
        setcookie(self::COOKIE, $cookie, [
            'expires' => time() + self::LIFETIME,
            'path' => COOKIEPATH ?: '/',
            'domain' => (string) COOKIE_DOMAIN,
            'secure' => is_ssl(),
            'httponly' => true,
            'samesite' => 'Lax',
        ]);
    }

    /** Whether the visitor's address may begin another payment now. */
    public static function mayBegin(): bool
    {
        $name = 'tua_payments_rate_' . hash('sha256', self::address() . intdiv(time(), self::RATE_PERIOD) . wp_salt('nonce'));
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

    private static function address(): string
    {
        /**
         * The address of the visitor. Behind a proxy, all visitors have the proxy's: such a site returns here what its proxy
         * says of them, which no visitor may be able to set.
         *
         * @param string $address
         */
        return (string) apply_filters('tua_payments_client_address', sanitize_text_field(wp_unslash($_SERVER['REMOTE_ADDR'] ?? '')));
    }
}
