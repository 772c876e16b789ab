<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\CheckoutEvent;
use TuaPayments\Vendor\Tua\Event\RefundEvent;
use TuaPayments\Vendor\Tua\Event\TransactionEvent;
use TuaPayments\Vendor\Tua\Model\Refund;
use TuaPayments\Vendor\Tua\Model\Transaction;
use TuaPayments\Webhook\EventHandler;

/** Events about orders while WooCommerce is switched off. */
final class InactiveShopTest extends ShopCase
{
    private const SITE = 'https://shop.example';
    private \StoredOrder $order;

    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['mails'] = [];
        $GLOBALS['posts'] = [];
        $GLOBALS['options']['home'] = self::SITE;
        $GLOBALS['options']['admin_email'] = 'efua@example.com';
        $this->order = new \StoredOrder(17);
        $this->pay($this->order);
        $GLOBALS['isShopActive'] = false;
    }

    protected function tearDown(): void
    {
        unset($GLOBALS['options']['home'], $GLOBALS['options']['admin_email']);
        $GLOBALS['isShopActive'] = true;
    }

    public function testAPaymentIsSentAgainUntilTheShopIsActive(): void
    {
        self::assertFalse($this->isTaken(fn () => $this->sendPaid(self::metadata())));
        $GLOBALS['isShopActive'] = true;
        self::assertTrue($this->isTaken(fn () => $this->sendPaid(self::metadata())));
        self::assertSame(PurchaseState::Paid, self::purchase($this->order)->state());
        self::assertSame([], $GLOBALS['mails']);
    }

    public function testNobodyIsToldToRefundAPaymentWhoseOrderCannotBeRead(): void
    {
        self::assertFalse($this->isTaken(fn () => $this->sendPaid(self::metadata(), 'live')));
        self::assertSame([], $GLOBALS['mails']);
    }

    public function testOrdersOfOtherSitesAndOtherPaymentsAreTaken(): void
    {
        self::assertTrue($this->isTaken(fn () => $this->sendPaid(['site' => 'https://other.example'] + self::metadata())));
        self::assertTrue($this->isTaken(fn () => $this->sendPaid(['source' => 'wordpress'] + self::metadata())));
        self::assertTrue($this->isTaken(fn () => $this->sendPaid(null)));
    }

    public function testAContradictionIsSentAgainUntilTheShopIsActive(): void
    {
        $charge = ['metadata' => self::metadata(), 'reference' => $this->order->meta['_tua_reference']] + RecorderTest::contradicted();
        $event = new TransactionEvent('evt_1', 'charge.conflict', '', Transaction::fromArray($charge));
        self::assertFalse($this->isTaken(static fn () => EventHandler::handle($event, Mode::Test)));
    }

    public function testARefundIsSentAgainUntilTheShopIsActive(): void
    {
        $this->order->meta['_tua_transaction_id'] = 'txn_1';
        $refund = Refund::fromArray($this->refund($this->order, 'SUCCESSFUL'));
        $send = static fn () => EventHandler::handle(new RefundEvent('evt_1', 'refund.successful', '', $refund), Mode::Test);
        $this->answer(static fn (): array => ['transactionId' => 'txn_1', 'metadata' => self::metadata()] + RecorderTest::charge());
        self::assertFalse($this->isTaken($send));
        $this->answer(static fn (): array => ['transactionId' => 'txn_1', 'metadata' => null] + RecorderTest::charge());
        self::assertTrue($this->isTaken($send));
        $this->answer(static fn (): array => ['status-code' => 404, 'code' => 'not_found', 'title' => '', 'detail' => '']);
        self::assertTrue($this->isTaken($send));
    }

    /** Whether the webhook is answered with 204. The service sends one again that is answered with 500. */
    private function isTaken(callable $send): bool
    {
        try {
            $send();
            return true;
        } catch (\RuntimeException $error) {
            self::assertStringContainsString('WooCommerce is not active', $error->getMessage());
            return false;
        }
    }

    /** @param array<string, string>|null $metadata */
    private function sendPaid(?array $metadata, string $mode = 'test'): void
    {
        $checkout = RecorderTest::checkout('PAID', ['mode' => $mode, 'reference' => $this->order->meta['_tua_reference'], 'metadata' => $metadata]);
        EventHandler::handle(new CheckoutEvent('evt_1', 'checkout.paid', '', $checkout), Mode::from($mode));
    }

    /** @return array<string, string> As the checkout of an order has them. */
    private static function metadata(): array
    {
        return ['source' => 'woocommerce', 'site' => self::SITE, 'order' => '17'];
    }
}
