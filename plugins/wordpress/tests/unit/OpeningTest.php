<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\PurchaseState;

final class OpeningTest extends ServiceCase
{
    public function testAnOpenCheckoutIsReturnedAgainWithItsKey(): void
    {
        $this->answer(static fn (string $method): array => $method === 'GET' ? self::session('OPEN') : self::opened('chk_1'));
        $opening = Opening::of(new FakePurchase());
        self::assertSame('tua_checkout_chk_1', $opening->checkout->checkoutToken);
        self::assertSame('wp-abcdefghjkmn-1', $this->requests[1]['key']);
    }

    public function testTheNextCheckoutIsOpenedOnlyAfterTheLastOneEnded(): void
    {
        $this->answer(static fn (string $method, string $path): array => match (true) {
            $method === 'POST' => self::opened('chk_2'),
            str_ends_with($path, 'chk_1') => self::session('EXPIRED'),
            default => self::session('OPEN', 'chk_2'),
        });
        $purchase = new FakePurchase();
        self::assertSame('chk_2', Opening::of($purchase)->checkout->checkoutId);
        self::assertSame('wp-abcdefghjkmn-2', $this->requests[1]['key']);
        self::assertSame(2, $purchase->attempt);
    }

    public function testNothingIsOpenedWhileTheServiceDoesNotSayWhatBecameOfTheLastOne(): void
    {
        $this->answer(static fn (): ?array => null);
        $opening = Opening::of(new FakePurchase());
        self::assertFalse($opening->outcome->isKnown);
        self::assertNull($opening->checkout);
        self::assertSame(['GET'], array_values(array_unique(array_column($this->requests, 'method'))));
    }

    public function testARepeatedResponseWhoseCheckoutHasExpiredLeadsToTheNextAttempt(): void
    {
        $this->answer(function (string $method, string $path): array {
            $key = end($this->requests)['key'];
            return match (true) {
                $method === 'POST' => self::opened($key === 'wp-abcdefghjkmn-1' ? 'chk_1' : 'chk_2'),
                str_ends_with($path, 'chk_1') => self::session('EXPIRED'),
                default => self::session('OPEN', 'chk_2'),
            };
        });
        $purchase = new FakePurchase();
        $purchase->checkoutId = null; // The first response was lost.
        self::assertSame('chk_2', Opening::of($purchase)->checkout->checkoutId);
    }

    public function testAPendingPaymentIsShownAndNotOpenedAnew(): void
    {
        $this->answer(static fn (string $method): array => $method === 'GET' ? self::session('PENDING') : self::opened('chk_1'));
        $purchase = new FakePurchase();
        self::assertSame('chk_1', Opening::of($purchase)->checkout->checkoutId);
        self::assertSame(1, $purchase->attempt);
        self::assertSame(PurchaseState::Pending, $purchase->state);
    }

    public function testAnOrderIsCancelledOnlyAfterItsCheckoutIsClosed(): void
    {
        $this->answer(static fn (): array => self::session('CLOSED'));
        self::assertTrue(Inquiry::close(new FakePurchase()));
    }

    public function testAnOrderWhosePaymentIsUnderWayIsNotCancelled(): void
    {
        $refusal = ['status-code' => 409, 'code' => 'charge_in_progress', 'title' => '', 'detail' => ''];
        $this->answer(static fn (string $method): array => $method === 'POST' ? $refusal : self::session('PENDING'));
        $purchase = new FakePurchase();
        self::assertFalse(Inquiry::close($purchase));
        self::assertSame(PurchaseState::Pending, $purchase->state);
    }

    public function testAnOrderIsNotCancelledWhileTheServiceDoesNotAnswer(): void
    {
        $this->answer(static fn (): ?array => null);
        self::assertFalse(Inquiry::close(new FakePurchase()));
    }
}
