<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use Automattic\WooCommerce\Caches\OrderCache;
use Automattic\WooCommerce\Internal\DataStores\Orders\OrdersTableDataStore;
use Automattic\WooCommerce\Internal\DataStores\Orders\OrdersTableDataStoreMeta;

defined('ABSPATH') || exit;

/** Reads orders as the database has them now. WooCommerce and WordPress keep what this request has read before in caches. */
final class StoredOrder
{
    public static function read(int $id): \WC_Order
    {
        clean_post_cache($id);
        self::clearCaches($id);
        $order = wc_get_order($id);
        if (!$order instanceof \WC_Order) {
            throw new \RuntimeException("The order {$id} is deleted.");
        }
        $order->read_meta_data(true);
        return $order;
    }

    /** The caches of orders in WooCommerce's own tables. Which of these classes there are depends on its version. */
    private static function clearCaches(int $id): void
    {
        if (class_exists(OrderCache::class)) {
            wc_get_container()->get(OrderCache::class)->remove($id);
        }
        foreach ([OrdersTableDataStore::class, OrdersTableDataStoreMeta::class] as $store) {
            if (method_exists($store, 'clear_cached_data')) {
                wc_get_container()->get($store)->clear_cached_data([$id]);
            }
        }
    }
}
