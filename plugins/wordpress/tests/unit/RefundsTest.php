<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Refunds;
use TuaPayments\Vendor\Tua\Model\Refund;

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
        self::assertSame('UNKNOWN', Refunds::of($purchase)[0]['status']);
        self::assertStringContainsString('has no key', Refunds::of($purchase)[0]['message']);
        self::assertStringNotContainsString('did not answer', Refunds::of($purchase)[0]['message']);
    }

    /** The service deletes a key after 7 days: the request would be another refund then. */
    public function testARefundOfWhichNothingWasKnownForDaysIsNotSentAgain(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): ?array => null);
        Refunds::begin($purchase, 0, '9.00', '');
        self::age($purchase, 6 * DAY_IN_SECONDS - 60);
        Refunds::check($purchase);
        self::assertNotSame([], $this->requests);
        $this->answer(static fn (): array => self::refund('SUCCESSFUL'));
        $this->requests = [];
        self::age($purchase, 6 * DAY_IN_SECONDS + 1);
        Refunds::check($purchase);
        Refunds::check($purchase);
        self::assertSame([], $this->requests);
        self::assertSame(['Nobody knows whether the refund of GHS 9.00 was made. Look at the charge in the dashboard of Tua, and return the money there if it was not.'], $purchase->flags);
        self::assertSame($purchase->flags[0], Refunds::of($purchase)[0]['message']);
        self::assertSame('0', $purchase->texts['refund_due'], 'nothing is asked about it any more');
        self::assertSame(900, Refunds::left($purchase), 'it may have been made');
    }

    public function testALostRefundHidesNoneOfTheDashboard(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): ?array => null);
        Refunds::begin($purchase, 0, '9.00', '');
        self::age($purchase, 7 * DAY_IN_SECONDS);
        Refunds::check($purchase);
        Refunds::record($purchase, Refund::fromArray(self::refund('SUCCESSFUL')));
        self::assertStringContainsString('GHS 9.00 were returned outside this site', $purchase->flags[1]);
    }

    /** @dataProvider refusals */
    public function testARefundThatTheKeyMayNotMakeNamesTheReason(int $status): void
    {
        $purchase = self::paid();
        $detail = 'The key tua_test_v2_' . str_repeat('a', 32) . ' is refused.';
        $this->answer(static fn (): array => ['status-code' => $status, 'code' => 'refused', 'title' => '', 'detail' => $detail]);
        $fault = (string) Refunds::begin($purchase, 0, '9.00', '');
        self::assertStringContainsString('The service does not accept the request now: refused: The key tua_test_v2_… is refused.', $fault);
        self::assertStringContainsString('Do not refund it again.', $fault);
        self::assertSame(['UNKNOWN', $fault], [Refunds::of($purchase)[0]['status'], Refunds::of($purchase)[0]['message']]);
        $this->answer(static fn (): array => self::refund('PENDING'));
        Refunds::check($purchase);
        self::assertSame(['PENDING', ''], [Refunds::of($purchase)[0]['status'], Refunds::of($purchase)[0]['message']]);
    }

    /** @return list<array{int}> */
    public static function refusals(): array
    {
        return [[401], [403]];
    }

    /** The site was restored from a backup, and has given the number of a newer refund again. */
    public function testARefundWhoseNumberTheServiceHasFromAnotherIsNotMade(): void
    {
        $purchase = self::paid();
        $this->answer(static fn (): array => ['status-code' => 422, 'code' => 'idempotency_key_reused', 'title' => '', 'detail' => '']);
        self::assertStringContainsString('This refund was not made', (string) Refunds::begin($purchase, 0, '9.00', ''));
        self::assertSame(1800, Refunds::left($purchase));
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

    /** Lets the first refund be as old as this. */
    private static function age(FakePurchase $purchase, int $seconds): void
    {
        $refund = ['at' => (string) (time() - $seconds)] + Refunds::of($purchase)[0];
        $purchase->saveTexts(['refund_0' => (string) json_encode($refund)]);
    }

    private static function paid(): FakePurchase
    {
        $purchase = new FakePurchase();
        $purchase->state = PurchaseState::Paid;
        $purchase->paidBy = 'chk_1';
        $purchase->transactionId = 'txn_1';
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
