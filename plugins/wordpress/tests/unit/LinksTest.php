<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Items\Item;
use TuaPayments\Items\LinkPayments;
use TuaPayments\Items\PaymentLinks;
use TuaPayments\Payments\PaymentTypes;
use TuaPayments\Payments\PendingCheck;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Event\TransactionEvent;
use TuaPayments\Vendor\Tua\Model\Transaction;
use TuaPayments\Webhook\EventHandler;

/** The payment links of an item whose price changes. */
final class LinksTest extends ServiceCase
{
    private Item $item;
    /** Whether the service answers when a link is closed. */
    private bool $isClosing = true;

    protected function setUp(): void
    {
        parent::setUp();
        $GLOBALS['posts'] = [];
        $GLOBALS['orders'] = [];
        $post = new \StoredPost(12, Item::TYPE, 'publish', 'A mug');
        $post->meta = ['_tua_amount' => '18.00', '_tua_presentation' => 'link'];
        $this->item = new Item(12);
        $this->answer(function (string $method, string $path): ?array {
            return match (true) {
                str_ends_with($path, '/close') => $this->isClosing ? self::link((int) substr($path, -7, 1)) : null,
                $method === 'POST' => ['status-code' => 201, 'amount' => json_decode(end($this->requests)['body'])->amount] + self::link(1 + (int) $this->item->text('link_number')),
                default => ['data' => [], 'nextCursor' => null],
            };
        });
        PaymentLinks::update($this->item);
    }

    public function testTheMoneyOfAReplacedLinkIsRecorded(): void
    {
        $this->changePrice();
        self::assertSame('lnk_2', $this->item->link(Mode::Test)['id']);
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1']), Mode::Test);
        self::assertSame([PurchaseState::Paid->value], $this->payments());
    }

    public function testNothingIsRecordedWhereAReviewFoundThatNoMoneyArrived(): void
    {
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1'] + RecorderTest::unpaid()), Mode::Test);
        self::assertSame([], $this->payments());
    }

    public function testMoneyThatAReviewDoesNotFindLeavesAPaymentAndIsFlagged(): void
    {
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1']), Mode::Test);
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1'] + RecorderTest::unpaid()), Mode::Test);
        self::assertSame([PurchaseState::Paid->value], $this->payments());
        self::assertStringContainsString('found that no money arrived', implode(' ', LinkPayments::find('chk_1', Mode::Test)->flags()));
    }

    /** A payer's first charge was reported as failed, and later as paid. */
    public function testTheMoneyOfAnEarlierChargeIsRecorded(): void
    {
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1'] + RecorderTest::paidLate()), Mode::Test);
        $payment = LinkPayments::find('chk_1', Mode::Test);
        self::assertSame('txn_first', $payment->transactionId());
        self::assertStringContainsString('The operator contradicted', implode(' ', $payment->flags()));
        $charge = Transaction::fromArray(['transactionId' => 'txn_2', 'checkoutId' => 'chk_1'] + RecorderTest::charge());
        EventHandler::handle(new TransactionEvent('evt_1', 'charge.successful', '', $charge), Mode::Test);
        self::assertStringContainsString('the charge txn_2 brought money too', implode(' ', $payment->flags()));
    }

    /** The webhook about the contradiction is lost for good. */
    public function testTheMoneyOfAnEarlierChargeIsFoundWithoutAWebhook(): void
    {
        $paid = ['linkId' => 'lnk_1'] + RecorderTest::paidLate() + self::session('PAID');
        $this->answer(static fn (string $method, string $path): array => ['data' => $path === '/v1/checkouts' ? [$paid] : [], 'nextCursor' => null]);
        LinkPayments::ask(Mode::Test);
        self::assertSame('txn_first', LinkPayments::find('chk_1', Mode::Test)?->transactionId());
        LinkPayments::ask(Mode::Test);
        self::assertCount(1, $this->payments());
    }

    public function testAQuestionIsAlsoAboutReplacedLinks(): void
    {
        $this->changePrice();
        $this->answer(static fn (string $method, string $path): array => ['data' => [], 'nextCursor' => null]);
        $this->requests = [];
        LinkPayments::ask(Mode::Test);
        self::assertCount(2, $this->requests);
    }

    public function testALinkThatCouldNotBeClosedIsClosedByTheTimer(): void
    {
        $this->isClosing = false;
        $this->changePrice();
        self::assertSame(0, $this->item->oldLinks(Mode::Test)[0]['closed_at']);
        $this->isClosing = true;
        $this->requests = [];
        PendingCheck::run();
        self::assertSame(['/v1/links/lnk_1/close'], $this->closings());
        self::assertGreaterThan(0, $this->item->oldLinks(Mode::Test)[0]['closed_at']);
        PendingCheck::run();
        self::assertCount(1, $this->closings(), 'it is closed already');
    }

    public function testTheLinkOfAnItemThatIsNotSoldAnyMoreIsClosedByTheTimer(): void
    {
        $this->isClosing = false;
        $GLOBALS['posts'][12]->status = 'draft';
        PaymentLinks::close($this->item);
        $this->isClosing = true;
        $this->requests = [];
        PendingCheck::run();
        PendingCheck::run();
        self::assertSame(['/v1/links/lnk_1/close'], $this->closings());
        LinkPayments::record(RecorderTest::checkout('PAID', ['linkId' => 'lnk_1']), Mode::Test);
        self::assertCount(1, $this->payments());
    }

    public function testAReplacedLinkIsForgottenDaysAfterItWasClosed(): void
    {
        $this->changePrice();
        $this->item->saveOldLinks(Mode::Test, [['closed_at' => time() - 5 * DAY_IN_SECONDS] + $this->item->oldLinks(Mode::Test)[0]]);
        PaymentLinks::closeLeft(Mode::Test);
        self::assertSame([], $this->item->oldLinks(Mode::Test));
    }

    public function testALinkThatTheServiceDoesNotKnowIsOver(): void
    {
        $this->isClosing = false;
        $this->changePrice();
        $this->answer(static fn (): array => ['status-code' => 404, 'code' => 'not_found', 'title' => '', 'detail' => '']);
        PaymentLinks::closeLeft(Mode::Test);
        self::assertGreaterThan(0, $this->item->oldLinks(Mode::Test)[0]['closed_at']);
    }

    private function changePrice(): void
    {
        $this->item->save(['amount' => '20.00']);
        self::assertTrue(PaymentLinks::update($this->item));
    }

    /** @return list<string> */
    private function closings(): array
    {
        return array_values(array_filter(array_column($this->requests, 'path'), static fn (string $path): bool => str_ends_with($path, '/close')));
    }

    /** @return list<string> The statuses of the payments that were recorded. */
    private function payments(): array
    {
        $payments = array_filter($GLOBALS['posts'], static fn (\StoredPost $post): bool => $post->type === PaymentTypes::PAYMENT);
        return array_values(array_map(static fn (\StoredPost $post): string => $post->status, $payments));
    }

    /** @return array<string, mixed> A link as the service sends it. */
    private static function link(int $number): array
    {
        return [
            'amount' => 18, 'code' => 'abc', 'createdAt' => '', 'currency' => 'GHS', 'description' => null, 'expiresAt' => null, 'linkId' => "lnk_{$number}",
            'maxAmount' => null, 'metadata' => null, 'minAmount' => null, 'mode' => 'test', 'paidAmount' => 0, 'payments' => 0, 'qr' => 'data:,',
            'reference' => "link-{$number}", 'status' => 'OPEN', 'title' => 'A mug', 'url' => "http://127.0.0.1:1/l/{$number}", 'uses' => 'MANY',
        ];
    }
}
