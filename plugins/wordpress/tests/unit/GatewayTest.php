<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\Recorder;
use TuaPayments\Payments\Refunds;
use TuaPayments\WooCommerce\Gateway;
use TuaPayments\WooCommerce\OrderPurchase;
use TuaPayments\WooCommerce\Orders;

/** The gateway with classes in WooCommerce's place, which is on no registry that the tests can use. */
final class GatewayTest extends ShopCase
{
    public function testTheCustomerIsSentToTheCheckoutOfTheOrder(): void
    {
        $order = new \StoredOrder(17);
        $result = $this->pay($order);
        self::assertSame(['result' => 'success', 'redirect' => 'http://127.0.0.1:1/pay?key=chk_1'], $result);
        $body = json_decode($this->requests[0]['body'], true);
        self::assertSame(18.0, $body['amount']);
        self::assertMatchesRegularExpression('/\Awc-17-[0-9a-f]{16}\z/', $body['reference']);
        self::assertSame("{$body['reference']}-1", $this->requests[0]['key']);
        self::assertSame('pending', $order->status);
    }

    public function testAPaymentCompletesTheOrderOnce(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        foreach ([1, 2] as $time) {
            Recorder::record(Orders::findByReference($order->meta['_tua_reference']), $this->paid($order));
        }
        self::assertSame('processing', $order->status);
        self::assertSame(1, $order->completed);
    }

    public function testAPendingPaymentPutsTheOrderOnHold(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        Recorder::record(self::purchase($order), $this->checkout($order, 'PENDING'));
        self::assertSame('on-hold', $order->status);
        Recorder::record(self::purchase($order), $this->checkout($order, 'OPEN'));
        self::assertSame('pending', $order->status);
    }

    public function testALatePaymentRevivesACancelledOrder(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $order->status = 'cancelled';
        Recorder::record(self::purchase($order), $this->paid($order));
        self::assertSame('processing', $order->status);
        self::assertStringContainsString('after the order was cancelled', implode(' ', $order->notes));
    }

    public function testAPaymentOfAnOrderThatWasPaidOtherwiseIsFlagged(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $order->method = 'cod';
        $order->status = 'processing';
        Recorder::record(Orders::findByReference($order->meta['_tua_reference']), $this->paid($order));
        self::assertSame(0, $order->completed);
        self::assertStringContainsString('Refund one of them', implode(' ', $order->notes));
        self::assertSame('chk_1', (self::purchase($order))->paidCheckoutId());
    }

    public function testWooCommerceCancelsNoOrderWhosePaymentIsUnderWay(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $refusal = ['status-code' => 409, 'code' => 'charge_in_progress', 'title' => '', 'detail' => ''];
        $this->answer(fn (string $method): array => $method === 'POST' ? $refusal : ['reference' => $order->meta['_tua_reference']] + self::session('PENDING'));
        self::assertFalse($this->mayCancel($order));
        self::assertSame('on-hold', $order->status);
        $this->answer(static fn (): ?array => null);
        self::assertFalse($this->mayCancel($order));
        $this->answer(fn (): array => ['reference' => $order->meta['_tua_reference']] + self::session('CLOSED'));
        self::assertTrue($this->mayCancel($order));
    }

    public function testAnOrderOfAnotherTotalGetsAnotherCheckout(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        $reference = $order->meta['_tua_reference'];
        $order->total = '25.5';
        $this->requests = [];
        $this->answer(static fn (string $method, string $path): array => match (true) {
            str_ends_with($path, '/close') => ['reference' => $reference] + self::session('CLOSED'),
            $method === 'POST' => ['reference' => $reference] + self::opened('chk_2'),
            default => ['reference' => $reference, 'amount' => 25.5] + self::session('OPEN', 'chk_2'),
        });
        (new Gateway())->process_payment(17);
        $creation = array_values(array_filter($this->requests, static fn (array $request): bool => $request['key'] === "{$reference}-2"))[0];
        self::assertSame(25.5, json_decode($creation['body'], true)['amount']);
        self::assertStringEndsWith('/chk_1/close', $this->requests[0]['path']);
    }

    public function testAnotherCurrencyIsRefusedInASentence(): void
    {
        $GLOBALS['currency'] = 'USD';
        self::assertStringContainsString('GHS) only, and this shop sells in USD', (string) Gateway::unavailableReason());
        self::assertFalse((new Gateway())->is_available());
        $order = new \StoredOrder(17);
        $order->currency = 'USD';
        self::assertSame(['result' => 'failure'], (new Gateway())->process_payment(17));
        self::assertStringContainsString('GHS', $GLOBALS['notices'][0]);
    }

    public function testARefundWhoseOutcomeIsNotKnownIsTakenUpAgain(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        Recorder::record(self::purchase($order), $this->paid($order));
        $this->requests = [];
        $this->answer(static fn (): ?array => null);
        self::assertInstanceOf(\WP_Error::class, (new Gateway())->process_refund(17, 9.0, ''));
        $this->answer(fn (): array => $this->refund($order, 'PENDING'));
        self::assertTrue((new Gateway())->process_refund(17, '9.00', ''));
        self::assertSame(['chk_1-refund-0'], array_values(array_unique(array_column($this->requests, 'key'))));
        self::assertTrue((new Gateway())->process_refund(17, '9', ''), 'another refund of the same amount');
        self::assertSame('chk_1-refund-1', end($this->requests)['key']);
        self::assertSame(0, Refunds::left(self::purchase($order)));
    }

    public function testARefundThatFailsLaterIsANote(): void
    {
        $order = new \StoredOrder(17);
        $this->pay($order);
        Recorder::record(self::purchase($order), $this->paid($order));
        $this->answer(fn (): array => ['refundId' => 'rfd_1'] + $this->refund($order, 'PENDING'));
        (new Gateway())->process_refund(17, '9', '');
        $this->answer(fn (): array => ['refundId' => 'rfd_1', 'failure' => ['code' => 'recipient_not_found', 'message' => 'No such wallet.', 'retryable' => false]] + $this->refund($order, 'FAILED'));
        Orders::check(self::purchase($order));
        self::assertStringContainsString('GHS 9.00 failed, and no money was returned: No such wallet.', end($order->notes));
    }
}
