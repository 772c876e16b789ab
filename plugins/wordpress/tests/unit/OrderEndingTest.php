<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\CheckoutEvent;
use TuaPayments\Webhook\EventHandler;
use TuaPayments\WooCommerce\Integration;

/** Orders that are cancelled, put in the trash or deleted. */
final class OrderEndingTest extends ShopCase
{
    private \StoredOrder $order;

    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['mails'] = [];
        $GLOBALS['options'] = ['home' => 'https://shop.example', 'admin_email' => 'efua@example.com'] + $GLOBALS['options'];
        $this->order = new \StoredOrder(17);
        $this->pay($this->order);
        (new Integration('tua-payments.php'))->register();
        $this->requests = [];
    }

    /** @dataProvider endings */
    public function testTheCheckoutOfADeletedOrderIsClosed(string $hook): void
    {
        $this->answer(fn (): array => ['reference' => $this->order->meta['_tua_reference']] + self::session('CLOSED'));
        do_action($hook, 17, wc_get_order(17));
        self::assertStringEndsWith('/chk_1/close', $this->requests[0]['path']);
        self::assertSame(PurchaseState::Unpaid, self::purchase($this->order)->state());
        do_action($hook, 17, wc_get_order(17));
        self::assertCount(1, $this->requests, 'it is closed already');
    }

    /** @return iterable<string, array{string}> */
    public static function endings(): iterable
    {
        foreach (['woocommerce_before_trash_order', 'woocommerce_before_delete_order', 'wp_trash_post', 'before_delete_post', 'woocommerce_order_status_cancelled'] as $hook) {
            yield $hook => [$hook];
        }
    }

    public function testADeletedOrderWhosePaymentMayBeUnderWayIsFlagged(): void
    {
        $refusal = ['status-code' => 409, 'code' => 'charge_in_progress', 'title' => '', 'detail' => ''];
        $session = ['reference' => $this->order->meta['_tua_reference']] + self::session('PENDING');
        $this->answer(static fn (string $method): array => $method === 'POST' ? $refusal : $session);
        do_action('woocommerce_before_trash_order', 17, wc_get_order(17));
        self::assertStringContainsString('deleted while a payment may be under way', implode(' ', $this->order->notes));
    }

    public function testACheckoutWhoseMoneyDidNotArriveIsClosed(): void
    {
        $refusal = ['status-code' => 409, 'code' => 'checkout_already_paid', 'title' => '', 'detail' => ''];
        $session = ['reference' => $this->order->meta['_tua_reference']] + RecorderTest::unpaid() + self::session('PAID');
        $this->answer(static fn (string $method): array => $method === 'POST' ? $refusal : $session);
        self::assertTrue(apply_filters('woocommerce_cancel_unpaid_order', true, wc_get_order(17)));
        self::assertSame([PurchaseState::Unpaid, 'pending'], [self::purchase($this->order)->state(), $this->order->status]);
    }

    public function testNoMailIsSentWhereAReviewFoundThatNoMoneyArrived(): void
    {
        $GLOBALS['orders'] = [];
        $this->handle('live', 'https://shop.example', RecorderTest::unpaid());
        self::assertSame([], $GLOBALS['mails']);
    }

    public function testTheAdministratorIsToldOfMoneyForADeletedOrder(): void
    {
        $GLOBALS['orders'] = [];
        $this->handle('live', 'https://shop.example');
        self::assertSame('efua@example.com', $GLOBALS['mails'][0]['to']);
        self::assertStringContainsString($this->order->meta['_tua_reference'], $GLOBALS['mails'][0]['message']);
    }

    public function testOrdersOfOtherSitesAndOfTestsAreNoReasonForAMail(): void
    {
        $GLOBALS['orders'] = [];
        $this->handle('live', 'https://other.example');
        $this->handle('test', 'https://shop.example');
        self::assertSame([], $GLOBALS['mails']);
    }

    public function testTheAdministratorIsToldOfMoneyForAnOrderInTheTrash(): void
    {
        $this->order->status = 'trash';
        $this->order->meta['_tua_mode'] = 'live';
        $this->handle('live', 'https://shop.example');
        self::assertCount(1, $GLOBALS['mails']);
        self::assertStringContainsString('the order kept its status', $GLOBALS['mails'][0]['message']);
    }

    public function testWooCommerceErasesTheAddressOfAnOrderThatIsOver(): void
    {
        self::assertSame('ama@example.com', $this->erase());
        $this->order->meta['_tua_state'] = PurchaseState::Paid->value;
        self::assertSame('', $this->erase());
    }

    /** As WooCommerce's eraser: what it would store in place of the address. */
    private function erase(): ?string
    {
        $hook = 'woocommerce_privacy_remove_order_personal_data_meta';
        $kinds = apply_filters($hook, ['Payer first name' => 'text']);
        self::assertSame('kept', apply_filters("{$hook}_value", 'kept', 'Payer first name', 'Ama', 'text', wc_get_order(17)));
        return isset($kinds['_tua_email']) ? apply_filters("{$hook}_value", 'deleted@site.invalid', '_tua_email', 'ama@example.com', 'email', wc_get_order(17)) : null;
    }

    /** @param array<string, mixed> $charges */
    private function handle(string $mode, string $site, array $charges = []): void
    {
        $checkout = RecorderTest::checkout('PAID', $charges + ['mode' => $mode, 'reference' => $this->order->meta['_tua_reference'], 'metadata' => ['site' => $site]]);
        EventHandler::handle(new CheckoutEvent('evt_1', 'checkout.paid', '', $checkout), Mode::from($mode));
    }
}
