<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Front\Requests;
use TuaPayments\Front\Visitor;
use TuaPayments\Items\Item;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PaymentTypes;
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

    public function testTwoPressesOfAPayerWithoutACookieAreOnePayment(): void
    {
        self::assertSame($this->begin(), $this->begin());
        self::assertNotSame($this->begin(), $this->begin('kofi@example.com'));
        $GLOBALS['transients'] = []; // A minute later.
        self::assertNotSame($this->begin(), $this->begin('kofi@example.com'));
    }

    public function testASecondPressWaitsUntilTheFirstOneHasStoredThePayment(): void
    {
        $second = null;
        add_filter('tua_payments_rate_limit', function (int $limit) use (&$second): int {
            if ($second === null) {
                $second = 'the first press is creating a payment now';
                \asAnotherRequest(function () use (&$second): void {
                    $second = $this->begin();
                });
            }
            return $limit;
        });
        self::assertStringStartsWith('payment ', $this->begin());
        self::assertSame('busy', $second);
        self::assertStringStartsWith('payment ', $this->begin());
        self::assertCount(2, self::payments(), 'that of this test, and one of the presses');
    }

    public function testTheCookieIsThatOfTheFirstPress(): void
    {
        $GLOBALS['cookies'] = [];
        $this->begin();
        $this->begin();
        self::assertCount(2, $GLOBALS['cookies']);
        self::assertSame($GLOBALS['cookies'][0], $GLOBALS['cookies'][1]);
        $first = $this->begin();
        $_COOKIE['tua_payments_visitor'] = $GLOBALS['cookies'][0];
        $_SERVER['REMOTE_ADDR'] = '198.51.100.9';
        self::assertSame($first, $this->begin());
        unset($_COOKIE['tua_payments_visitor']);
    }

    /** What a press of the button begins, or why it begins nothing. */
    private function begin(string $email = 'esi@example.com'): string
    {
        $this->answer(static fn (): ?array => null);
        $begun = (new \ReflectionMethod(Requests::class, 'findOrCreate'))->invoke(null, $this->item, '18.00', $email, 'https://shop.example/mug');
        return $begun instanceof Payment ? "payment {$begun->id}" : $begun;
    }

    /** @return list<\StoredPost> */
    private static function payments(): array
    {
        return array_values(array_filter($GLOBALS['posts'], static fn (\StoredPost $post): bool => $post->type === PaymentTypes::PAYMENT));
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
        $this->answer(fn (): array => ['reference' => $this->payment->reference(), 'paidTransaction' => $charge, 'transaction' => $charge] + self::session($status));
    }
}
