<?php

// The classes of the plug-in without WordPress: what they need of it is here, in its simplest form.
declare(strict_types=1);

const ABSPATH = __DIR__ . '/';
const MINUTE_IN_SECONDS = 60;
const HOUR_IN_SECONDS = 3600;
const DAY_IN_SECONDS = 86400;
const COOKIEPATH = '/';
const COOKIE_DOMAIN = '';

require dirname(__DIR__, 2) . '/src/autoload.php';

function __(string $text): string
{
    return $text;
}

function wp_parse_url(string $url, int $component = -1): mixed
{
    return parse_url($url, $component);
}

function wp_salt(string $scheme): string
{
    return "salt of {$scheme}";
}

function wp_json_encode(mixed $value): string|false
{
    return json_encode($value);
}

/** The hooks of the site. */
function add_filter(string $hook, callable $callback, int $priority = 10, int $arguments = 1): bool
{
    $GLOBALS['hooks'][$hook][] = static fn (mixed ...$values): mixed => $callback(...array_slice($values, 0, $arguments));
    return true;
}

function add_action(string $hook, callable $callback, int $priority = 10, int $arguments = 1): bool
{
    return add_filter($hook, $callback, $priority, $arguments);
}

function apply_filters(string $hook, mixed $value, mixed ...$values): mixed
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as $callback) {
        $value = $callback($value, ...$values);
    }
    return $value;
}

function do_action(string $hook, mixed ...$values): void
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as $callback) {
        $callback(...$values);
    }
}

function clean_post_cache(int $id): void
{
}

/** The options of the site. */
function get_option(string $name, mixed $default = false): mixed
{
    return $GLOBALS['options'][$name] ?? $default;
}

/** The mails that were sent. */
function wp_mail(string $to, string $subject, string $message): bool
{
    $GLOBALS['mails'][] = compact('to', 'subject', 'message');
    return true;
}

/** Answers the requests of the plug-in: $GLOBALS['service'] is called with the method, the path, the headers and the body. */
function wp_remote_request(string $url, array $request): array|WP_Error
{
    return ($GLOBALS['service'])($request['method'], (string) parse_url($url, PHP_URL_PATH), $request['headers'], $request['body']);
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function wp_remote_retrieve_headers(array $response): array
{
    return ['content-type' => 'application/json'];
}

function wp_remote_retrieve_response_code(array $response): int
{
    return $response['status'];
}

function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}

final class WP_Error
{
    public function __construct(private readonly string $code = '', private readonly string $message = '')
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

require __DIR__ . '/pauses.php';
require __DIR__ . '/cookies.php';
require __DIR__ . '/functions.php';
require __DIR__ . '/FakePurchase.php';
require __DIR__ . '/ServiceCase.php';
require __DIR__ . '/WordPress.php';
require __DIR__ . '/network.php';
require __DIR__ . '/orders.php';
require __DIR__ . '/WooCommerce.php';
require __DIR__ . '/ShopCase.php';
