<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Front\Requests;
use TuaPayments\Front\Visitor;
use TuaPayments\Items\Item;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;

/** A payer who presses the button of a form again. */
final class RequestsTest extends ServiceCase
{
    private Item $item;
    private Payment $payment;

    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['posts'] = [];
        $GLOBALS['hooks'] = [];
        $GLOBALS['transients'] = [];
        new \StoredPost(12, Item::TYPE, 'publish', 'A mug');
        $this->item = new Item(12);
        $this->payment = PaymentStore::create($this->item, Mode::Test, '18.00', 'ama@example.com', 'https://shop.example/mug', 'visitor');
        $this->payment->saveCheckout('chk_1', 1);
    }

    public function testAPayerWhoHasJustPaidIsNotSentToPayAgain(): void
    {
        $this->answerAs('PAID', RecorderTest::charge());
        self::assertSame($this->payment->id, $this->unfinished()?->id);
        self::assertSame(PurchaseState::Paid, $this->payment->state());
    }

    public function testAPayerWhoHasNotPaidBeginsAnew(): void
    {
        $this->answerAs('EXPIRED', null);
        self::assertNull($this->unfinished());
    }

    public function testAPayerWhosePaymentIsBeingChangedIsSentToItsPage(): void
    {
        $this->answer(static fn (string $method): array => $method === 'POST' ? self::opened('chk_2') : self::session('EXPIRED'));
        $this->payment->beginNextAttempt(1, 'chk_1');
        \WP_Upgrader::$isFree = false;
        $this->expectExceptionMessage($this->payment->returnUrl());
        (new \ReflectionMethod(Requests::class, 'sendToPay'))->invoke(null, $this->payment);
    }

    public function testASiteBehindAProxyCountsEachPayer(): void
    {
        $_SERVER['REMOTE_ADDR'] = '192.0.2.1';
        add_filter('tua_payments_rate_limit', static fn (): int => 1);
        self::assertTrue(Visitor::mayBegin());
        self::assertFalse(Visitor::mayBegin());
        add_filter('tua_payments_client_address', static fn (string $address): string => "{$address} 198.51.100.7");
        self::assertTrue(Visitor::mayBegin());
        self::assertFalse(Visitor::mayBegin());
    }

    private function unfinished(): ?Payment
    {
        return (new \ReflectionMethod(Requests::class, 'unfinished'))->invoke(null, $this->item, 'visitor', '18.00', 'ama@example.com');
    }

    /** @param array<string, mixed>|null $charge */
    private function answerAs(string $status, ?array $charge): void
    {
        $this->answer(fn (): array => ['reference' => $this->payment->reference(), 'transaction' => $charge] + self::session($status));
    }
}
