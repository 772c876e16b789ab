<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Items\Item;
use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\TransactionEvent;
use TuaPayments\Vendor\Tua\Model\Transaction;
use TuaPayments\Webhook\EventHandler;

/** A payment that several requests change at the same time: two tabs of the payer, a webhook, WP-Cron. */
final class PaymentTest extends ServiceCase
{
    private Payment $payment;

    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['posts'] = [];
        $GLOBALS['hooks'] = [];
        new \StoredPost(12, Item::TYPE, 'publish', 'A mug');
        $this->payment = PaymentStore::create(new Item(12), Mode::Test, '18.00', 'ama@example.com', 'https://shop.example/mug', 'visitor');
        $this->payment->saveCheckout('chk_1', 1);
    }

    public function testTwoTabsOpenOneCheckoutAfterTheLastOneHasExpired(): void
    {
        $this->answerAfter(function (): void {
            $this->payment->markUnpaid();
            $this->payment->beginNextAttempt(1, 'chk_1');
        });
        self::assertSame('chk_2', Opening::of($this->payment)->checkout->checkoutId);
        self::assertSame(['2', 'chk_2'], $this->stored());
        self::assertSame(["{$this->payment->reference()}-2"], array_values(array_unique(array_filter(array_column($this->requests, 'key')))));
    }

    public function testACheckoutThatTheOtherTabHasOpenedStays(): void
    {
        $this->answerAfter(function (): void {
            $this->payment->markUnpaid();
            $this->payment->beginNextAttempt(1, 'chk_1');
            $this->payment->saveCheckout('chk_2', 2);
        });
        Opening::of($this->payment);
        self::assertSame(['2', 'chk_2'], $this->stored());
        self::assertSame(PurchaseState::Open, $this->payment->state());
    }

    /** This tab's request is lost, and the payer may have paid in the other one. */
    public function testItIsNotKnownHowTheCheckoutStandsThatTheOtherTabHasOpened(): void
    {
        $payment = PaymentStore::create(new Item(12), Mode::Test, '18.00', 'ama@example.com', 'https://shop.example/mug', 'visitor');
        $payment->checkoutId(); // This request has read the payment before.
        $this->answer(static function () use ($payment): ?array {
            \asAnotherRequest(static fn () => $payment->saveCheckout('chk_2', 1));
            return null;
        });
        $opening = Opening::of($payment);
        self::assertFalse($opening->outcome->isKnown);
        self::assertNull($opening->checkout);
    }

    public function testACheckoutOfAnEarlierAttemptIsNotStored(): void
    {
        $this->payment->beginNextAttempt(1, 'chk_1');
        $this->payment->saveCheckout('chk_2', 2);
        $this->payment->saveCheckout('chk_1', 1);
        self::assertSame(['2', 'chk_2'], $this->stored());
    }

    public function testAnAttemptWhoseCheckoutWasOpenedMeanwhileIsNotReplaced(): void
    {
        $this->payment->beginNextAttempt(1, null);
        self::assertSame(['1', 'chk_1'], $this->stored());
    }

    public function testOfTwoCheckoutsThatArePaidAtOnceTheFirstIsStoredAndTheSecondFlagged(): void
    {
        $this->payment->text('reference'); // This request has read the payment before.
        \asAnotherRequest(fn () => $this->recordPaid('chk_1'));
        $this->recordPaid('chk_2');
        \asAnotherRequest(fn () => self::assertSame('chk_1', $this->payment->paidCheckoutId()));
        self::assertStringContainsString('paid twice: the checkout chk_2', implode(' ', $this->payment->flags()));
    }

    /** Two webhooks at the same moment: the one about the failed attempt has found nothing to change. */
    public function testAChargeThatHasFailedSinceItsEventLeavesNothingPending(): void
    {
        $this->answer(fn (): array => ['reference' => $this->payment->reference()] + self::session('OPEN'));
        $pending = ['status' => 'PENDING', 'checkoutId' => 'chk_1', 'reference' => $this->payment->reference()] + RecorderTest::charge();
        EventHandler::handle(new TransactionEvent('evt_1', 'charge.pending', '', Transaction::fromArray($pending)), Mode::Test);
        self::assertSame(PurchaseState::Open, $this->payment->state());
        $this->answer(static fn (): ?array => null);
        EventHandler::handle(new TransactionEvent('evt_2', 'charge.pending', '', Transaction::fromArray($pending)), Mode::Test);
        self::assertSame(PurchaseState::Pending, $this->payment->state(), 'it is asked about until it is known');
    }

    public function testThePaymentHasTheChargeThatBroughtTheMoney(): void
    {
        $paid = ['reference' => $this->payment->reference()] + RecorderTest::paidLate();
        Recorder::record($this->payment, RecorderTest::checkout('PAID', $paid));
        self::assertSame('txn_first', $this->payment->transactionId());
    }

    public function testNothingIsChangedWhileAnotherRequestHasThePayment(): void
    {
        \WP_Upgrader::$isFree = false;
        $this->answer(fn (): array => ['reference' => $this->payment->reference()] + self::session('EXPIRED'));
        self::assertFalse(Inquiry::ask($this->payment)->isKnown);
        self::assertSame(PurchaseState::Open, $this->payment->state());
        $this->expectException(Busy::class);
        $this->recordPaid('chk_1');
    }

    /** Answers as the service does after chk_1 has expired. The other request changes the payment before the first answer. */
    private function answerAfter(callable $work): void
    {
        $isFirst = true;
        $this->answer(function (string $method, string $path) use ($work, &$isFirst): array {
            if ($isFirst) {
                $isFirst = false;
                \asAnotherRequest($work);
            }
            return ['reference' => $this->payment->reference()] + match (true) {
                $method === 'POST' => self::opened('chk_' . substr((string) end($this->requests)['key'], -1)),
                str_ends_with($path, 'chk_1') => self::session('EXPIRED'),
                default => self::session('OPEN', basename($path)),
            };
        });
    }

    private function recordPaid(string $checkoutId): void
    {
        Recorder::record($this->payment, RecorderTest::checkout('PAID', ['reference' => $this->payment->reference(), 'checkoutId' => $checkoutId]));
    }

    /** @return array{string, string} The attempt and the checkout, as the database has them. */
    private function stored(): array
    {
        $meta = $GLOBALS['posts'][$this->payment->id]->meta;
        return [$meta['_tua_attempt'], $meta['_tua_checkout_id']];
    }
}
