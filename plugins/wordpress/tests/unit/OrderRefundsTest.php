<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Recorder;
use TuaPayments\Payments\Refunds;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Refund;
use TuaPayments\WooCommerce\Gateway;
use TuaPayments\WooCommerce\OrderRefunds;
use TuaPayments\WooCommerce\Orders;

/** The refunds of an order, and those that WooCommerce shows. */
final class OrderRefundsTest extends ShopCase
{
    private \StoredOrder $order;

    protected function setUp(): void
    {
        parent::setUp();
        $this->order = new \StoredOrder(17);
        $this->pay($this->order);
        Recorder::record(self::purchase($this->order), $this->paid($this->order));
    }

    public function testARefundThatTheTimerFinishesIsEnteredInTheOrder(): void
    {
        $this->answer(static fn (): ?array => null);
        self::assertInstanceOf(\WP_Error::class, $this->refundInShop('9.00'));
        self::assertSame([], $this->order->refunds);
        $this->answer(fn (): array => $this->refund($this->order, 'SUCCESSFUL'));
        Orders::check(self::purchase($this->order));
        self::assertSame(['9.00'], array_values($this->order->refunds));
        self::assertTrue($this->refundInShop('9.00'), 'a second item of the same price');
        self::assertSame('chk_1-refund-1', end($this->requests)['key']);
        self::assertSame(['9.00', '9.00'], array_values($this->order->refunds));
        self::assertSame(0, Refunds::left(self::purchase($this->order)));
    }

    public function testARefundIsEnteredOnce(): void
    {
        $this->answer(fn (): array => ['refundId' => 'rfd_1'] + $this->refund($this->order, 'SUCCESSFUL'));
        self::assertTrue($this->refundInShop('9.00'));
        Orders::check(self::purchase($this->order));
        OrderRefunds::record($this->reported('rfd_1', 'SUCCESSFUL'), Mode::Test);
        self::assertSame(['9.00'], array_values($this->order->refunds));
    }

    public function testARefundThatAnEventFinishesIsEnteredInTheOrder(): void
    {
        $this->answer(static fn (): ?array => null);
        $this->refundInShop('9.00');
        $this->answer(fn (): array => ['refundId' => 'rfd_1'] + $this->refund($this->order, 'PENDING'));
        Orders::check(self::purchase($this->order));
        self::assertSame([], $this->order->refunds);
        OrderRefunds::record($this->reported('rfd_1', 'SUCCESSFUL'), Mode::Test);
        self::assertSame(['9.00'], array_values($this->order->refunds));
    }

    public function testARefundThatWooCommerceDoesNotTakeIsFlagged(): void
    {
        $this->answer(static fn (): ?array => null);
        $this->refundInShop('9.00');
        $this->order->refunds = ['18.00']; // A person has entered it by hand meanwhile.
        $this->answer(fn (): array => $this->refund($this->order, 'SUCCESSFUL'));
        Orders::check(self::purchase($this->order));
        self::assertSame(['18.00'], $this->order->refunds);
        self::assertStringContainsString('WooCommerce could not enter the refund', implode(' ', $this->order->notes));
    }

    public function testARefundThatWasMadeInTheDashboardIsFlagged(): void
    {
        OrderRefunds::record($this->reported('rfd_9', 'SUCCESSFUL'), Mode::Test);
        self::assertStringContainsString('GHS 9.00 were returned outside this site', implode(' ', $this->order->notes));
        self::assertStringContainsString('rfd_9', implode(' ', $this->order->notes));
    }

    public function testAnEventThatOvertakesTheResponseIsSentAgain(): void
    {
        $this->answer(static fn (): ?array => null);
        $this->refundInShop('9.00');
        $this->expectException(Busy::class);
        OrderRefunds::record($this->reported('rfd_1', 'SUCCESSFUL'), Mode::Test);
    }

    public function testARefundThatIsPressedAgainWhileNothingIsKnownIsNotSaidToHaveFailed(): void
    {
        $this->answer(static fn (): ?array => null);
        $this->refundInShop('9.00');
        self::assertStringContainsString('do not refund it again', $this->refundInShop('9.00')->get_error_message());
        $stored = json_decode($this->order->meta['_tua_refund_0'], true);
        $this->order->meta['_tua_refund_0'] = json_encode(['at' => (string) (time() - 7 * DAY_IN_SECONDS)] + $stored);
        $this->requests = [];
        self::assertStringContainsString('Nobody knows', $this->refundInShop('9.00')->get_error_message());
        self::assertSame([], $this->requests);
        self::assertStringContainsString('Nobody knows', implode(' ', $this->order->notes));
    }

    public function testNoRefundIsSentWhileAnotherRequestHasTheOrder(): void
    {
        $this->requests = [];
        \WP_Upgrader::$isFree = false;
        self::assertInstanceOf(\WP_Error::class, $this->refundInShop('9.00'));
        self::assertSame([], $this->requests);
    }

    /** As WooCommerce: it stores its refund first, and deletes it where the gateway returns an error. */
    private function refundInShop(string $amount): bool|\WP_Error
    {
        $this->order->refunds[] = $amount;
        $number = array_key_last($this->order->refunds);
        $result = (new Gateway())->process_refund(17, $amount, '');
        if ($result !== true) {
            unset($this->order->refunds[$number]);
        }
        return $result;
    }

    private function reported(string $id, string $status): Refund
    {
        return Refund::fromArray(['refundId' => $id] + $this->refund($this->order, $status));
    }
}
