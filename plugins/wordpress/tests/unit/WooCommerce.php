<?php

// What the gateway uses of WooCommerce beside orders, in memory. Signatures as in WooCommerce 9.
declare(strict_types=1);

class WC_Payment_Gateway
{
    public string $id = '';
    public string $method_title = '';
    public string $method_description = '';
    public bool $has_fields = false;
    public array $supports = [];
    public string $title = '';
    public string $description = '';
    public array $form_fields = [];

    public function init_settings(): void
    {
    }

    public function get_option(string $key): string
    {
        return (string) ($this->form_fields[$key]['default'] ?? '');
    }

    public function process_admin_options(): bool
    {
        return true;
    }

    public function is_available(): bool
    {
        return true;
    }

    public function get_return_url(?WC_Order $order = null): string
    {
        return "http://localhost/checkout/order-received/{$order->get_id()}";
    }
}

/** WordPress's lock, which the orders use. */
class WP_Upgrader
{
    public static bool $isFree = true;
    private static array $locks = [];

    public static function create_lock(string $name, ?int $timeout = null): bool
    {
        if (!self::$isFree || isset(self::$locks[$name])) {
            return false;
        }
        self::$locks[$name] = true;
        return true;
    }

    public static function release_lock(string $name): bool
    {
        unset(self::$locks[$name]);
        return true;
    }
}

function wc_get_order(int $id): WC_Order|false
{
    return isset($GLOBALS['orders'][$id]) ? new WC_Order($GLOBALS['orders'][$id]) : false;
}

/** @return list<WC_Order> By one value of their meta, newest first. */
function wc_get_orders(array $query): array
{
    $since = (int) ltrim($query['date_created'] ?? '0', '>');
    $isFound = static fn (StoredOrder $order): bool => $order->createdAt > $since && ($order->meta[$query['meta_key']] ?? null) === $query['meta_value'];
    $found = array_filter(array_reverse($GLOBALS['orders'], true), $isFound);
    return array_map(static fn (StoredOrder $order): WC_Order => new WC_Order($order), array_values(array_slice($found, 0, $query['limit'])));
}

/** As WooCommerce: no more than what is left of the order. */
function wc_create_refund(array $refund): object
{
    $order = $GLOBALS['orders'][$refund['order_id']];
    if ($refund['amount'] > $order->total - array_sum($order->refunds)) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    $order->refunds[] = $refund['amount'];
    return (object) $refund;
}

/** The session of the customer. */
function WC(): object
{
    return (object) ['session' => $GLOBALS['session'] ?? null];
}

final class WC_Session
{
    private array $values = [];

    public function get(string $name): mixed
    {
        return $this->values[$name] ?? null;
    }

    public function set(string $name, mixed $value): void
    {
        $this->values[$name] = $value;
    }
}

function get_woocommerce_currency(): string
{
    return $GLOBALS['currency'] ?? 'GHS';
}

function wc_add_notice(string $message, string $type = 'success'): void
{
    $GLOBALS['notices'][] = $message;
}
