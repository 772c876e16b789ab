<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\WooCommerce\Gateway;

/** A customer who goes back while a charge is under way, and places the order of the same cart again. */
final class EarlierOrderTest extends ShopCase
{
    private \StoredOrder $first;
    private \StoredOrder $second;

    protected function setUp(): void
    {
        parent::setUp();
        $this->first = new \StoredOrder(17);
        $this->second = new \StoredOrder(18);
        $this->pay($this->first);
        $this->requests = [];
    }

    public function testNoOtherOrderBeginsWhileTheEarlierOneMayBePaid(): void
    {
        $this->answerAs('PENDING');
        self::assertSame(['result' => 'failure'], (new Gateway())->process_payment(18));
        self::assertStringContainsString('order 17 is not confirmed yet', $GLOBALS['notices'][0]);
        self::assertArrayNotHasKey('_tua_reference', $this->second->meta);
        $this->answer(static fn (): ?array => null);
        self::assertSame(['result' => 'failure'], (new Gateway())->process_payment(18), 'the service does not answer');
    }

    public function testTheCheckoutOfTheEarlierOrderIsClosedFirst(): void
    {
        $this->answer(fn (string $method, string $path): array => match (true) {
            str_ends_with($path, '/close') => ['reference' => $this->first->meta['_tua_reference']] + self::session('CLOSED'),
            $method === 'POST' => ['reference' => $this->second->meta['_tua_reference']] + self::opened('chk_2'),
            default => ['reference' => $this->second->meta['_tua_reference']] + self::session('OPEN', 'chk_2'),
        });
        self::assertSame('http://127.0.0.1:1/pay?key=chk_2', (new Gateway())->process_payment(18)['redirect']);
        self::assertStringEndsWith('/chk_1/close', $this->requests[0]['path']);
    }

    public function testTheSameGoodsAreNotPaidTwiceByMistake(): void
    {
        $this->answerAs('PAID');
        self::assertSame(['result' => 'failure'], (new Gateway())->process_payment(18));
        self::assertStringContainsString('order 17 of the same goods is paid', $GLOBALS['notices'][0]);
        self::assertSame('processing', $this->first->status);
        self::assertSame('success', $this->pay($this->second)['result'], 'the customer wants them twice');
    }

    public function testOtherGoodsAreSoldAfterTheEarlierOrderIsPaid(): void
    {
        $this->second->cartHash = 'cart 2';
        $this->first->status = 'processing';
        $this->first->meta['_tua_state'] = 'tua-paid';
        self::assertSame('success', $this->pay($this->second)['result']);
    }

    public function testAnOrderOfTestModeKeepsNobodyFromPayingALiveOne(): void
    {
        $this->goLive();
        self::assertSame('success', $this->pay($this->second)['result']);
        self::assertSame([], array_filter(array_column($this->requests, 'path'), static fn (string $path): bool => str_ends_with($path, '/close')));
    }

    public function testACustomerWhoComesWhileTheOrderIsBeingChangedIsAskedToTryAgain(): void
    {
        $GLOBALS['session'] = new \WC_Session();
        \WP_Upgrader::$isFree = false;
        self::assertSame(['result' => 'failure'], (new Gateway())->process_payment(18));
        self::assertStringContainsString('try again in a minute', $GLOBALS['notices'][0]);
    }

    /** The service refuses to close the checkout of the first order. */
    private function answerAs(string $status): void
    {
        $refusal = ['status-code' => 409, 'code' => 'charge_in_progress', 'title' => '', 'detail' => ''];
        $charge = $status === 'PAID' ? RecorderTest::charge() : null;
        $session = ['reference' => $this->first->meta['_tua_reference'], 'paidTransaction' => $charge, 'transaction' => $charge] + self::session($status);
        $this->answer(static fn (string $method): array => $method === 'POST' ? $refusal : $session);
    }
}
