<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Settings\Vault;
use TuaPayments\Vendor\Tua\Model\Checkout;
use TuaPayments\WooCommerce\Gateway;
use TuaPayments\WooCommerce\OrderEnding;
use TuaPayments\WooCommerce\OrderPurchase;

/** A test with orders of WooCommerce. */
abstract class ShopCase extends ServiceCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['orders'] = [];
        $GLOBALS['notices'] = [];
        $GLOBALS['currency'] = 'GHS';
        $GLOBALS['hooks'] = [];
        $GLOBALS['session'] = new \WC_Session();
    }

    /** @return array<string, mixed> */
    protected function pay(\StoredOrder $order): array
    {
        $this->answer(function (string $method, string $path) use ($order): array {
            $answer = $method === 'POST' ? self::opened('chk_1') : self::session('OPEN');
            return ['reference' => $order->meta['_tua_reference']] + $answer;
        });
        return (new Gateway())->process_payment($order->id);
    }

    protected static function purchase(\StoredOrder $order): OrderPurchase
    {
        return new OrderPurchase(wc_get_order($order->id));
    }

    protected function mayCancel(\StoredOrder $order): bool
    {
        return (new \ReflectionMethod(OrderEnding::class, 'mayCancel'))->invoke(null, true, wc_get_order($order->id));
    }

    protected function paid(\StoredOrder $order): Checkout
    {
        return $this->checkout($order, 'PAID');
    }

    protected function checkout(\StoredOrder $order, string $status): Checkout
    {
        return RecorderTest::checkout($status, ['reference' => $order->meta['_tua_reference']]);
    }

    /** @return array<string, mixed> */
    protected function refund(\StoredOrder $order, string $status): array
    {
        return [
            'amount' => 9, 'conflict' => null, 'createdAt' => '', 'currency' => 'GHS', 'failure' => null, 'method' => 'NATIVE', 'nextAction' => 'WAIT',
            'operator' => null, 'reason' => null, 'refundId' => 'rfd_' . count($this->requests), 'status' => $status,
            'transactionId' => $order->meta['_tua_transaction_id'], 'updatedAt' => '', 'status-code' => 202,
        ];
    }

    protected function goLive(): void
    {
        $GLOBALS['options']['tua_payments']['mode'] = 'live';
        $GLOBALS['options']['tua_payments']['live_secret_key'] = Vault::seal('tua_live_v2_' . str_repeat('a', 32));
    }
}
