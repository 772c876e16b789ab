<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refunds;

final class RefundsTest extends ServiceCase
{
    public function testARefundWhoseResponseIsLostIsSentAgainWithItsKey(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): ?array => null);
        self::assertStringContainsString('do not refund it again', (string) Refunds::begin($purchase, 0, '9.00', ''));
        self::assertSame(900, Refunds::left($purchase));
        self::assertNotNull(Refunds::begin($purchase, 0, '9.00', ''), 'a second click');
        $this->answer(static fn (): array => self::refund('SUCCESSFUL'));
        Refunds::check($purchase);
        self::assertSame(['chk_1-refund-0'], array_values(array_unique(array_column($this->requests, 'key'))));
        self::assertSame('SUCCESSFUL', Refunds::of($purchase)[0]['status']);
        self::assertSame('0', $purchase->texts['refund_due']);
    }

    public function testARefusalFreesTheAmount(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): array => ['status-code' => 409, 'code' => 'not_refundable', 'title' => '', 'detail' => 'It is disputed.']);
        self::assertStringContainsString('It is disputed.', (string) Refunds::begin($purchase, 0, '18.00', ''));
        self::assertSame(1800, Refunds::left($purchase));
    }

    public function testAKeyThatWasTakenAwayMeanwhileProvesNothing(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): ?array => null);
        Refunds::begin($purchase, 0, '18.00', '');
        unset($GLOBALS['options']['tua_payments']['test_secret_key']);
        Refunds::check($purchase);
        self::assertSame(Refunds::UNKNOWN, Refunds::of($purchase)[0]['status']);
    }

    public function testAllOfItMakesThePaymentRefunded(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): array => ['amount' => 18] + self::refund('PENDING'));
        self::assertNull(Refunds::begin($purchase, 0, '18.00', 'sold out'));
        self::assertSame(PurchaseState::Paid, $purchase->state);
        $this->answer(static fn (): array => ['amount' => 18] + self::refund('SUCCESSFUL'));
        Refunds::check($purchase);
        self::assertSame(PurchaseState::Refunded, $purchase->state);
    }

    public function testMoreThanWhatIsLeftIsRefused(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): array => self::refund('SUCCESSFUL'));
        Refunds::begin($purchase, 0, '9.00', '');
        self::assertStringContainsString('More cannot be returned', (string) Refunds::begin($purchase, 1, '9.01', ''));
        self::assertCount(1, $this->requests);
    }

    private static function paid(): FakePurchase
    {
        $purchase = new FakePurchase();
        $purchase->state = PurchaseState::Paid;
        $purchase->paidBy = 'chk_1';
        return $purchase;
    }

    /** @return array<string, mixed> */
    private static function refund(string $status): array
    {
        return [
            'amount' => 9, 'conflict' => null, 'createdAt' => '', 'currency' => 'GHS', 'failure' => null, 'method' => 'NATIVE', 'nextAction' => 'NONE',
            'operator' => null, 'reason' => null, 'refundId' => 'rfd_1', 'status' => $status, 'transactionId' => 'txn_1', 'updatedAt' => '', 'status-code' => 202,
        ];
    }
}
