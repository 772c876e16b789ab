<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\TransactionEvent;
use TuaPayments\Vendor\Tua\Model\Transaction;
use TuaPayments\Webhook\EventHandler;
use TuaPayments\WooCommerce\Integration;
use TuaPayments\WooCommerce\Orders;

/** What becomes of an order while and after it is paid. */
final class OrderPaymentTest extends ShopCase
{
    private \StoredOrder $order;

    protected function setUp(): void
    {
        parent::setUp();
        $this->order = new \StoredOrder(17);
        $this->pay($this->order);
    }

    public function testAHoldOfAnotherPaymentMethodStays(): void
    {
        $this->order->method = 'bacs';
        $this->order->status = 'on-hold';
        foreach (['OPEN', 'EXPIRED'] as $status) {
            $this->record($status);
            self::assertSame('on-hold', $this->order->status, $status);
        }
    }

    public function testAHoldThatAPersonSetsStays(): void
    {
        $this->order->status = 'on-hold';
        $this->record('PENDING');
        $this->record('CLOSED');
        self::assertSame('on-hold', $this->order->status);
    }

    public function testOurOwnHoldEndsWithTheCharge(): void
    {
        $this->record('PENDING');
        self::assertSame('on-hold', $this->order->status);
        $this->record('EXPIRED');
        self::assertSame('pending', $this->order->status);
    }

    public function testAFaultOfAnotherPluginAfterThePaymentIsNoSecondPayment(): void
    {
        add_action('woocommerce_payment_complete', static fn () => throw new \Exception('a fault of another plug-in'));
        $this->record('PAID');
        $GLOBALS['hooks'] = [];
        $this->record('PAID');
        self::assertSame(PurchaseState::Paid, self::purchase($this->order)->state());
        self::assertSame(1, $this->order->completed);
        self::assertStringNotContainsString('Refund one of them', implode(' ', $this->order->notes));
    }

    public function testAnOrderThatAPersonMarkedAsPaidIsSaidToBeSo(): void
    {
        $this->order->status = 'processing';
        $this->record('PAID');
        self::assertStringContainsString('marked as paid by hand', implode(' ', $this->order->notes));
        self::assertStringNotContainsString('another method', implode(' ', $this->order->notes));
    }

    public function testAnOrderWhoseTotalChangedMeanwhileIsNotComplete(): void
    {
        $this->order->total = '25.50';
        $this->record('PAID');
        self::assertSame('on-hold', $this->order->status);
        self::assertSame(0, $this->order->completed);
        self::assertSame(self::paid($this->order)->transaction->transactionId, $this->order->transactionId);
        self::assertSame(PurchaseState::Paid, self::purchase($this->order)->state());
        self::assertStringContainsString('GHS 18.00 were paid, and the order is GHS 25.50 now', implode(' ', $this->order->notes));
    }

    public function testWhatWasAskedBeforeThePaymentDoesNotUndoIt(): void
    {
        $stale = self::purchase($this->order);
        $this->record('PAID');
        Recorder::record($stale, $this->checkout($this->order, 'PENDING'));
        self::assertSame('processing', $this->order->status);
        $this->record('PAID');
        self::assertSame(1, $this->order->completed);
    }

    public function testAPaymentIsStoredInTheOrderAsItIsNow(): void
    {
        $stale = self::purchase($this->order);
        $this->order->status = 'cancelled';
        Recorder::record($stale, $this->paid($this->order));
        self::assertStringContainsString('after the order was cancelled', implode(' ', $this->order->notes));
    }

    public function testTheEndOfAnEarlierCheckoutSaysNothingAboutOneThatBeganMeanwhile(): void
    {
        $stale = self::purchase($this->order);
        self::purchase($this->order)->beginNextAttempt(1, 'chk_1');
        self::purchase($this->order)->saveCheckout('chk_2', 2);
        Recorder::record($stale, $this->checkout($this->order, 'EXPIRED'));
        self::assertSame(PurchaseState::Open, self::purchase($this->order)->state());
    }

    public function testTwoTabsOfAnOrderOpenOneCheckoutAfterTheLastOneHasExpired(): void
    {
        $this->answer(function (string $method, string $path): array {
            if (count($this->requests) === 1) { // The other tab was faster.
                self::purchase($this->order)->markUnpaid();
                self::purchase($this->order)->beginNextAttempt(1, 'chk_1');
            }
            return ['reference' => $this->order->meta['_tua_reference']] + match (true) {
                $method === 'POST' => self::opened('chk_' . substr((string) end($this->requests)['key'], -1)),
                str_ends_with($path, 'chk_1') => self::session('EXPIRED'),
                default => self::session('OPEN', basename($path)),
            };
        });
        $this->requests = [];
        self::assertSame('chk_2', Opening::of(self::purchase($this->order))->checkout->checkoutId);
        self::assertSame(['2', 'chk_2'], [$this->order->meta['_tua_attempt'], $this->order->meta['_tua_checkout_id']]);
    }

    public function testACheckoutOfAnEarlierAttemptIsNotStored(): void
    {
        self::purchase($this->order)->beginNextAttempt(1, 'chk_1');
        self::purchase($this->order)->saveCheckout('chk_1', 1);
        self::assertSame('', $this->order->meta['_tua_checkout_id']);
    }

    public function testTheOrderHasTheChargeThatBroughtTheMoney(): void
    {
        $paid = ['reference' => $this->order->meta['_tua_reference']] + RecorderTest::paidLate();
        Recorder::record(self::purchase($this->order), RecorderTest::checkout('PAID', $paid));
        self::assertSame(['txn_first', 'txn_first'], [$this->order->transactionId, $this->order->meta['_tua_transaction_id']]);
    }

    public function testASecondChargeOfThePaidCheckoutIsFlagged(): void
    {
        $this->record('PAID');
        $charge = ['transactionId' => 'txn_2', 'checkoutId' => 'chk_1', 'reference' => $this->order->meta['_tua_reference']] + RecorderTest::charge();
        EventHandler::handle(new TransactionEvent('evt_1', 'charge.successful', '', Transaction::fromArray($charge)), Mode::Test);
        self::assertStringContainsString('the charge txn_2 brought money too', implode(' ', $this->order->notes));
    }

    public function testASecondPaymentThatArrivesAtTheSameTimeIsFlagged(): void
    {
        $stale = self::purchase($this->order);
        $this->record('PAID');
        Recorder::record($stale, RecorderTest::checkout('PAID', ['reference' => $this->order->meta['_tua_reference'], 'checkoutId' => 'chk_2']));
        self::assertStringContainsString('paid twice', implode(' ', $this->order->notes));
    }

    public function testAnEventIsSentAgainWhereAnotherRequestHasTheOrder(): void
    {
        \WP_Upgrader::$isFree = false;
        $this->expectException(Busy::class);
        $this->record('PAID');
    }

    public function testAQuestionFindsNothingWhereAnotherRequestHasTheOrder(): void
    {
        $this->answer(fn (): array => ['reference' => $this->order->meta['_tua_reference']] + self::session('EXPIRED'));
        \WP_Upgrader::$isFree = false;
        self::assertFalse(Inquiry::ask(self::purchase($this->order))->isKnown);
        self::assertFalse(Inquiry::close(self::purchase($this->order)));
    }

    public function testMoneyForAnOrderThatCannotBeCompletedIsFlagged(): void
    {
        $this->order->status = 'trash';
        $this->record('PAID');
        self::assertSame('trash', $this->order->status);
        self::assertStringContainsString('the order kept its status', implode(' ', $this->order->notes));
    }

    public function testAPaymentOfTestModeIsSaidToBeOne(): void
    {
        $this->record('PAID');
        self::assertStringContainsString('Test payment: no money moved.', implode(' ', $this->order->notes));
    }

    public function testNoMailIsSentAboutTheHoldOfACharge(): void
    {
        (new Integration('tua-payments.php'))->register();
        $this->record('PENDING');
        self::assertFalse($this->sendsHoldMail());
        $this->record('OPEN');
        $this->order->method = 'bacs';
        $this->order->status = 'on-hold';
        self::assertTrue($this->sendsHoldMail());
    }

    private function sendsHoldMail(): bool
    {
        return apply_filters('woocommerce_email_enabled_customer_on_hold_order', true, wc_get_order(17), null);
    }

    private function record(string $status): void
    {
        Recorder::record(Orders::findByReference($this->order->meta['_tua_reference']), $this->checkout($this->order, $status));
    }
}
