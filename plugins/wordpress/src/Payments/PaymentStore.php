<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Items\Item;
use TuaPayments\Settings\Mode;

defined('ABSPATH') || exit;

/** Reads and writes payments. A status is changed by one conditional UPDATE, so that of two requests one wins. */
final class PaymentStore
{
    public const PREFIX = '_tua_';
    private const UNAMBIGUOUS = '23456789abcdefghjkmnpqrstuvwxyz';

    /** Stores a payment before anything is asked of the service. */
    public static function create(Item $item, Mode $mode, string $amount, string $email, string $page, string $visitor): Payment
    {
        $reference = 'wp-' . self::randomCode(12);
        $id = self::insert($item->title(), PurchaseState::Open, [
            'reference' => $reference,
            'mode' => $mode->value,
            'amount' => $amount,
            'email' => $email,
            'item' => (string) $item->id,
            'page' => $page,
            'visitor' => $visitor,
            'attempt' => '1',
            'checkout_id' => '',
            'created_at' => (string) time(),
            'ask_at' => (string) (time() + 60),
        ]);
        return new Payment($id);
    }

    /** @param array<string, string> $values With reference and email. */
    public static function insert(string $title, PurchaseState $state, array $values): int
    {
        $meta = [];
        foreach ($values as $name => $value) {
            $meta[self::PREFIX . $name] = wp_slash($value);
        }
        $id = wp_insert_post([
            'post_type' => PaymentTypes::PAYMENT,
            'post_status' => $state->value,
            'post_title' => wp_slash($title),
            'post_name' => $values['reference'],
            // What people search for in the list of payments.
            'post_excerpt' => wp_slash("{$values['reference']} {$values['email']}"),
            'meta_input' => $meta,
        ], true);
        if (is_wp_error($id)) {
            throw new \RuntimeException('A payment could not be stored: ' . $id->get_error_message());
        }
        return $id;
    }

    /** Random characters that cannot be confused with each other, 4.9 bits each. */
    public static function randomCode(int $length): string
    {
        $code = '';
        while (strlen($code) < $length) {
            $code .= self::UNAMBIGUOUS[random_int(0, strlen(self::UNAMBIGUOUS) - 1)];
        }
        return $code;
    }

    public static function find(int $id): ?Payment
    {
        return get_post_type($id) === PaymentTypes::PAYMENT ? new Payment($id) : null;
    }

    public static function findByReference(string $reference): ?Payment
    {
        if (preg_match('/\Awp-[' . self::UNAMBIGUOUS . ']{12}\z/', $reference) !== 1) {
            return null;
        }
        $statuses = array_map(static fn (PurchaseState $state): string => $state->value, PurchaseState::cases());
        $found = get_posts([
            'post_type' => PaymentTypes::PAYMENT,
            'name' => $reference,
            'post_status' => $statuses,
            'fields' => 'ids',
            'posts_per_page' => 1,
        ]);
        return $found === [] ? null : new Payment($found[0]);
    }

    /**
     * Payments with these values, oldest first.
     *
     * @param list<PurchaseState> $states
     * @param list<array<string, mixed>> $meta Clauses of WP_Query's meta_query.
     *
     * @return list<Payment>
     */
    public static function query(array $states, array $meta, int $limit): array
    {
        $ids = get_posts([
            'post_type' => PaymentTypes::PAYMENT,
            'post_status' => array_map(static fn (PurchaseState $state): string => $state->value, $states),
            'meta_query' => $meta,
            'posts_per_page' => $limit,
            'orderby' => 'ID',
            'order' => 'ASC',
            'fields' => 'ids',
            'suppress_filters' => true,
        ]);
        return array_map(static fn (int $id): Payment => new Payment($id), array_values($ids));
    }

    /** @param array<string, string> $values */
    public static function update(int $id, array $values): void
    {
        foreach ($values as $name => $value) {
            update_post_meta($id, self::PREFIX . $name, wp_slash($value));
        }
    }

    /**
     * Changes the status where it is one of these. Returns whether this call changed it.
     *
     * @param list<PurchaseState> $from
     */
    public static function move(int $id, PurchaseState $to, array $from): bool
    {
        global $wpdb;
        $places = implode(', ', array_fill(0, count($from), '%s'));
        $statuses = array_map(static fn (PurchaseState $state): string => $state->value, $from);
        $now = [current_time('mysql'), current_time('mysql', true)];
        // phpcs:ignore WordPress.DB -- only placeholders are inserted; WordPress has no conditional update.
        $changed = $wpdb->query($wpdb->prepare(
            "UPDATE {$wpdb->posts} SET post_status = %s, post_modified = %s, post_modified_gmt = %s WHERE ID = %d AND post_status IN ({$places})",
            [$to->value, ...$now, $id, ...$statuses],
        ));
        if ($changed === false) {
            throw new \RuntimeException('The database refused to store a payment.');
        }
        self::clearCaches($id);
        return $changed === 1;
    }

    public static function addOnce(int $id, string $name, string $value): void
    {
        if (!in_array($value, (array) get_post_meta($id, self::PREFIX . $name), true)) {
            add_post_meta($id, self::PREFIX . $name, wp_slash($value));
        }
    }

    /** Lets the next read be one of the database. WordPress keeps what this request has read before in caches. */
    public static function clearCaches(int $id): void
    {
        clean_post_cache($id);
        wp_cache_delete($id, 'post_meta');
    }
}
