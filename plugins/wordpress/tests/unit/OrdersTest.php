<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Settings\Mode;
use TuaPayments\WooCommerce\Gateway;
use TuaPayments\WooCommerce\Orders;

/** Which orders the plug-in finds, and what it keeps of them. */
final class OrdersTest extends ShopCase
{
    public function testAnOrderThatIsPaidLongAfterItWasMadeIsAskedAbout(): void
    {
        $order = new \StoredOrder(17);
        $order->createdAt = time() - 30 * DAY_IN_SECONDS;
        $this->pay($order);
        self::assertSame([17], $this->due());
        Orders::check(self::purchase($order));
        self::assertLessThanOrEqual(time() + MINUTE_IN_SECONDS, (int) $order->meta['_tua_ask_at'], 'its checkout was opened just now');
    }

    public function testAnOrderWhoseCheckoutWasNeverOpenedIsNotAskedAbout(): void
    {
        $order = new \StoredOrder(17);
        $this->answer(static fn (): ?array => null);
        (new Gateway())->process_payment(17);
        self::assertSame([], wc_get_orders(['meta_key' => '_tua_state', 'meta_value' => PurchaseState::Open->value, 'limit' => 9]));
        self::assertSame(PurchaseState::Open, self::purchase($order)->state());
    }

    public function testASandboxPaysNoOrderAfterTheShopWentLive(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $tested = $order->meta['_tua_reference'];
        $this->goLive();
        $this->pay($order);
        self::assertSame('live', $order->meta['_tua_mode']);
        self::assertNotSame($tested, $order->meta['_tua_reference']);
        self::assertNull(Orders::findByReference($tested));
    }

    public function testAnOrderThatASandboxHasPaidKeepsItsMode(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        Recorder::record(self::purchase($order), $this->paid($order));
        $this->goLive();
        $this->pay($order);
        self::assertSame('test', $order->meta['_tua_mode']);
        self::assertSame(PurchaseState::Paid, self::purchase($order)->state());
    }

    public function testACopyOfAPaidOrderIsNotPaid(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        Recorder::record(self::purchase($order), $this->paid($order));
        $copy = new \StoredOrder(18);
        $copy->meta = $order->meta;
        $GLOBALS['session'] = new \WC_Session(); // Another customer.
        self::assertNull(Orders::find(wc_get_order(18)));
        self::assertSame('http://127.0.0.1:1/pay?key=chk_1', $this->pay($copy)['redirect']);
        self::assertStringStartsWith('wc-18-', $copy->meta['_tua_reference']);
        self::assertSame('', self::purchase($copy)->text('paid_checkout_id'));
        self::assertSame(17, Orders::findByTransaction($order->transactionId, Mode::Test)->order()->get_id());
    }

    public function testTwoTabsOfOneOrderOpenOneCheckout(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $first = $order->meta['_tua_reference'];
        $order->meta = []; // The other tab has read the order before.
        $this->pay($order);
        self::assertSame($first, $order->meta['_tua_reference']);
        $other = new \StoredOrder(18);
        $GLOBALS['session'] = new \WC_Session();
        $this->pay($other);
        self::assertNotSame(substr($first, 6), substr($other->meta['_tua_reference'], 6));
    }

    /** @return list<int> */
    private function due(): array
    {
        return array_map(static fn (object $purchase): int => $purchase->order()->get_id(), Orders::due(50));
    }
}
