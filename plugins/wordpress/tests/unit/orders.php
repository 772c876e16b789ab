<?php

// Orders of WooCommerce, in memory. Signatures as in WooCommerce 9.
declare(strict_types=1);

/** An order as the database has it, which tests read and write. The plug-in has copies of it, as in WooCommerce. */
final class StoredOrder
{
    public array $meta = [];
    public array $notes = [];
    public string $status = 'pending';
    public int $completed = 0;
    public string $total = '18';
    public string $currency = 'GHS';
    public string $method = 'tua';
    public string $transactionId = '';
    public string $cartHash = 'cart 1';
    public int $createdAt;
    /** @var array<int, string> The amounts of its refunds. */
    public array $refunds = [];

    public function __construct(public readonly int $id)
    {
        $this->createdAt = time();
        $GLOBALS['orders'][$id] = $this;
    }
}

/** An order as one request has read it: others change the stored one meanwhile, and save() writes what was changed here. */
class WC_Order
{
    private array $values = [];
    private array $changes = [];
    private array $meta = [];
    private array $metaChanges = [];

    public function __construct(private readonly StoredOrder $stored)
    {
        $this->values = ['status' => $stored->status, 'total' => $stored->total, 'method' => $stored->method, 'transactionId' => $stored->transactionId];
        $this->read_meta_data(true);
    }

    public function get_id(): int
    {
        return $this->stored->id;
    }

    public function get_order_key(): string
    {
        return "wc_order_{$this->stored->id}";
    }

    public function get_cart_hash(): string
    {
        return $this->stored->cartHash;
    }

    public function get_order_number(): string
    {
        return (string) $this->stored->id;
    }

    public function get_checkout_payment_url(): string
    {
        return "http://localhost/checkout/order-pay/{$this->stored->id}";
    }

    public function get_total(): string
    {
        return $this->values['total'];
    }

    public function get_currency(): string
    {
        return $this->stored->currency;
    }

    public function get_payment_method(): string
    {
        return $this->values['method'];
    }

    public function get_transaction_id(): string
    {
        return $this->value('transactionId');
    }

    public function set_transaction_id(string $transactionId): void
    {
        $this->changes['transactionId'] = $transactionId;
    }

    public function get_billing_email(): string
    {
        return 'ama@example.com';
    }

    public function get_date_created(): ?DateTimeInterface
    {
        return new DateTimeImmutable("@{$this->stored->createdAt}");
    }

    public function get_meta(string $key): mixed
    {
        return $this->meta[$key] ?? '';
    }

    /** @return list<object{key: string, value: mixed}> */
    public function get_meta_data(): array
    {
        return array_map(static fn (string $key, mixed $value): object => (object) compact('key', 'value'), array_keys($this->meta), $this->meta);
    }

    public function update_meta_data(string $key, mixed $value): void
    {
        $this->meta[$key] = $this->metaChanges[$key] = $value;
    }

    public function delete_meta_data(string $key): void
    {
        unset($this->meta[$key]);
        $this->metaChanges[$key] = null;
    }

    public function read_meta_data(bool $force = false): void
    {
        $this->meta = $this->stored->meta;
        $this->metaChanges = [];
    }

    public function save(): int
    {
        $this->stored->meta = array_filter($this->metaChanges + $this->stored->meta, static fn (mixed $value): bool => $value !== null);
        $from = $this->values['status'];
        foreach ($this->changes as $name => $value) {
            $this->values[$name] = $this->stored->$name = $value;
        }
        $this->changes = $this->metaChanges = [];
        if ($this->values['status'] !== $from) {
            do_action("woocommerce_order_status_{$this->values['status']}", $this->get_id(), $this);
        }
        return $this->stored->id;
    }

    public function get_status(): string
    {
        return $this->value('status');
    }

    public function set_status(string $status): void
    {
        $this->changes['status'] = $status;
    }

    public function has_status(array|string $status): bool
    {
        return in_array($this->get_status(), (array) $status, true);
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->add_order_note($note);
        $this->set_status($status);
        $this->save();
        return true;
    }

    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    public function add_order_note(string $note): int
    {
        $this->stored->notes[] = $note;
        return count($this->stored->notes);
    }

    /** As WooCommerce: only from these statuses. An exception of another plug-in comes after the order is stored. */
    public function payment_complete(string $transactionId = ''): bool
    {
        try {
            if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
                $this->set_transaction_id($transactionId);
                $this->set_status('processing');
                $this->save();
                $this->stored->completed++;
                do_action('woocommerce_payment_complete', $this->get_id(), $transactionId);
            }
        } catch (Exception $exception) {
            $this->add_order_note('Payment complete event failed.');
            return false;
        }
        return true;
    }

    private function value(string $name): string
    {
        return $this->changes[$name] ?? $this->values[$name];
    }
}
