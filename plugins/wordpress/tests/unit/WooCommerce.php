<?php

// What the gateway uses of WooCommerce, in memory. Signatures as in WooCommerce 9.
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

class WC_Order
{
    public array $meta = [];
    public array $notes = [];
    public string $status = 'pending';
    public int $completed = 0;
    public string $total = '18';
    public string $currency = 'GHS';
    public string $method = 'tua';

    public function __construct(private readonly int $id)
    {
        $GLOBALS['orders'][$id] = $this;
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_total(): string
    {
        return $this->total;
    }

    public function get_currency(): string
    {
        return $this->currency;
    }

    public function get_billing_email(): string
    {
        return 'ama@example.com';
    }

    public function get_date_created(): ?DateTimeInterface
    {
        return null;
    }

    public function get_meta(string $key): mixed
    {
        return $this->meta[$key] ?? '';
    }

    public function update_meta_data(string $key, mixed $value): void
    {
        $this->meta[$key] = $value;
    }

    public function read_meta_data(bool $force = false): void
    {
    }

    public function save(): int
    {
        return $this->id;
    }

    public function has_status(array|string $status): bool
    {
        return in_array($this->status, (array) $status, true);
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->status = $status;
        $this->notes[] = $note;
        return true;
    }

    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    public function add_order_note(string $note): int
    {
        $this->notes[] = $note;
        return count($this->notes);
    }

    /** As WooCommerce: only from these statuses. */
    public function payment_complete(string $transactionId = ''): bool
    {
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->status = 'processing';
            $this->completed++;
        }
        return true;
    }
}

/** WordPress's lock, which the orders use. */
class WP_Upgrader
{
    public static bool $isFree = true;

    public static function create_lock(string $name, ?int $timeout = null): bool
    {
        return self::$isFree;
    }

    public static function release_lock(string $name): bool
    {
        return true;
    }
}

function wc_get_order(int $id): WC_Order|false
{
    return $GLOBALS['orders'][$id] ?? false;
}

function get_woocommerce_currency(): string
{
    return $GLOBALS['currency'] ?? 'GHS';
}

function wc_add_notice(string $message, string $type = 'success'): void
{
    $GLOBALS['notices'][] = $message;
}

function add_action(string $hook, callable $callback): bool
{
    return true;
}

function add_filter(string $hook, callable $callback): bool
{
    return true;
}
