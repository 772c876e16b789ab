<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Vendor\Tua\Model\Checkout;
use TuaPayments\Vendor\Tua\Model\Transaction;

final class RecorderTest extends ServiceCase
{
    /** @return array<string, mixed> A charge that succeeded. */
    public static function charge(): array
    {
        return json_decode((string) file_get_contents(dirname(__DIR__, 4) . '/sdks/php/src/Testing/events.json'), true)['charge.successful']['data'];
    }

    /** @param array<string, mixed> $values */
    public static function checkout(string $status, array $values = []): Checkout
    {
        return Checkout::fromArray($values + [
            'amount' => 18,
            'attemptsLeft' => 4,
            'checkoutId' => 'chk_1',
            'createdAt' => '2026-11-21T10:00:00.000Z',
            'currency' => 'GHS',
            'email' => 'ama@example.com',
            'expiresAt' => '2026-11-21T10:30:00.000Z',
            'linkId' => null,
            'metadata' => null,
            'mode' => 'test',
            'paidTransaction' => $status === 'PAID' ? self::charge() : null,
            'reference' => 'wp-abcdefghjkmn',
            'returnUrl' => null,
            'status' => $status,
            'transaction' => $status === 'PAID' ? self::charge() : null,
        ]);
    }

    /** @return array<string, mixed> A charge that the operator reported as failed, and then as paid. */
    public static function contradicted(string $transactionId = 'txn_first'): array
    {
        $conflict = ['at' => '', 'decision' => null, 'observed' => 'SUCCESSFUL'];
        return ['transactionId' => $transactionId, 'status' => 'FAILED', 'conflict' => $conflict] + self::charge();
    }

    /** @return array<string, mixed> A charge that the operator reported as paid against its outcome, and what a review found. */
    public static function decided(string $decision, string $transactionId): array
    {
        return ['conflict' => ['at' => '', 'decision' => $decision, 'observed' => 'SUCCESSFUL']] + self::contradicted($transactionId);
    }

    /** @return array<string, mixed> */
    public static function failed(string $transactionId = 'txn_latest'): array
    {
        return ['transactionId' => $transactionId, 'status' => 'FAILED', 'conflict' => null] + self::charge();
    }

    /** @return array<string, mixed> The charges of a checkout whose first charge was reported as paid after the latest had failed. */
    public static function paidLate(): array
    {
        return ['paidTransaction' => self::contradicted(), 'transaction' => self::failed()];
    }

    public function testTheChargeThatBroughtTheMoneyIsStoredAndNotTheLatest(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID', self::paidLate()));
        self::assertSame('txn_first', $purchase->transactionId);
        self::assertStringContainsString('The operator contradicted', $purchase->flags[0]);
    }

    /** @return array<string, mixed> The charges of a checkout whose operator contradicted itself, until a review found that no money arrived. */
    public static function unpaid(): array
    {
        return ['paidTransaction' => null, 'transaction' => self::decided('FAILED', 'txn_unpaid')];
    }

    public function testAPurchaseIsNotPaidWhereAReviewFoundThatNoMoneyArrived(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID', self::unpaid()));
        self::assertSame([PurchaseState::Unpaid, 0], [$purchase->state, $purchase->paid]);
        self::assertStringContainsString('The operator contradicted', $purchase->flags[0]);
    }

    public function testItIsPendingWhileAnotherChargeOfSuchACheckoutIs(): void
    {
        $purchase = new FakePurchase();
        $pending = ['status' => 'PENDING', 'transactionId' => 'txn_2'] + self::charge();
        Recorder::record($purchase, self::checkout('PAID', ['transaction' => $pending] + self::unpaid()));
        self::assertSame(PurchaseState::Pending, $purchase->state);
    }

    public function testMoneyThatAReviewDoesNotFindLeavesAPaidPurchaseAndIsFlagged(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID'));
        Recorder::record($purchase, self::checkout('PAID', ['checkoutId' => 'chk_2'] + self::unpaid()));
        self::assertStringNotContainsString('found that no money arrived', implode(' ', $purchase->flags), 'of another checkout');
        Recorder::record($purchase, self::checkout('PAID', self::unpaid()));
        self::assertSame(PurchaseState::Paid, $purchase->state);
        self::assertStringContainsString('found that no money arrived', implode(' ', $purchase->flags));
    }

    public function testASecondChargeOfThePaidCheckoutIsFlagged(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID', self::paidLate()));
        $purchase->flags = [];
        foreach ([self::failed(), ['transactionId' => 'txn_first'] + self::charge(), ['checkoutId' => 'chk_2', 'transactionId' => 'txn_other'] + self::charge()] as $charge) {
            Recorder::recordCharge($purchase, Transaction::fromArray($charge + ['checkoutId' => 'chk_1']));
        }
        self::assertSame([], $purchase->flags);
        Recorder::recordCharge($purchase, Transaction::fromArray(['transactionId' => 'txn_2', 'checkoutId' => 'chk_1'] + self::charge()));
        self::assertStringContainsString('paid twice: the charge txn_2 brought money too', $purchase->flags[0]);
    }

    public function testAChargeThatAReviewFoundNotToBePaidIsNoSecondPayment(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID'));
        Recorder::recordCharge($purchase, Transaction::fromArray(['checkoutId' => 'chk_1'] + self::decided('FAILED', 'txn_unpaid')));
        self::assertStringNotContainsString('paid twice', implode(' ', $purchase->flags));
        Recorder::recordCharge($purchase, Transaction::fromArray(['checkoutId' => 'chk_1'] + self::decided('SUCCESSFUL', 'txn_2')));
        self::assertStringContainsString('the charge txn_2 brought money too', implode(' ', $purchase->flags));
    }

    public function testAPaymentIsMarkedOnce(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID'));
        Recorder::record($purchase, self::checkout('PAID'));
        self::assertSame(1, $purchase->paid);
        self::assertSame([], $purchase->flags);
    }

    public function testALateEventDoesNotUndoAPayment(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID'));
        foreach (['OPEN', 'PENDING', 'EXPIRED', 'CLOSED'] as $status) {
            Recorder::record($purchase, self::checkout($status));
            self::assertSame(PurchaseState::Paid, $purchase->state);
        }
    }

    public function testALatePaymentRevivesAPurchaseThatHadEnded(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('EXPIRED'));
        self::assertSame(PurchaseState::Unpaid, $purchase->state);
        Recorder::record($purchase, self::checkout('PAID'));
        self::assertSame(PurchaseState::Paid, $purchase->state);
    }

    public function testAnotherAmountIsFlaggedAndNotMarked(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID', ['amount' => 17.99]));
        self::assertSame(PurchaseState::Open, $purchase->state);
        self::assertStringContainsString('GHS 17.99 were paid, and GHS 18.00', $purchase->flags[0]);
    }

    public function testASecondPaymentIsFlagged(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID'));
        Recorder::record($purchase, self::checkout('PAID', ['checkoutId' => 'chk_2']));
        self::assertSame(1, $purchase->paid);
        self::assertStringContainsString('paid twice', $purchase->flags[0]);
    }

    public function testTheEndOfAnEarlierAttemptSaysNothing(): void
    {
        $purchase = new FakePurchase();
        $purchase->checkoutId = 'chk_2';
        Recorder::record($purchase, self::checkout('EXPIRED'));
        self::assertSame(PurchaseState::Open, $purchase->state);
    }

    public function testAPaymentByAnEarlierAttemptCounts(): void
    {
        $purchase = new FakePurchase();
        $purchase->checkoutId = 'chk_2';
        Recorder::record($purchase, self::checkout('PAID'));
        self::assertSame('chk_1', $purchase->paidBy);
    }

    public function testAnotherModeOrReferenceIsIgnored(): void
    {
        $purchase = new FakePurchase();
        Recorder::record($purchase, self::checkout('PAID', ['mode' => 'live']));
        Recorder::record($purchase, self::checkout('PAID', ['reference' => 'wp-other']));
        self::assertSame(0, $purchase->paid);
    }
}
