<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Model\OpenedCheckout;

defined('ABSPATH') || exit;

/**
 * Opens the checkout that a purchase is paid with. A purchase has one open checkout at most, so it cannot be paid twice:
 * the next one is opened only after the service has said that the last one ended without a payment.
 */
final class Opening
{
    private const MAX_ROUNDS = 5;

    private function __construct(public readonly Outcome $outcome, public readonly ?OpenedCheckout $checkout)
    {
    }

    /** The checkout of the purchase, and the next one where the last one has ended. */
    public static function of(Purchase $purchase): self
    {
        for ($round = 0; $round < self::MAX_ROUNDS; $round++) {
            $attempt = $purchase->attempt();
            $checkoutId = $purchase->checkoutId();
            if ($checkoutId !== null) {
                $current = self::current($purchase);
                if (!$current->outcome->isKnown || $current->outcome->state !== PurchaseState::Unpaid) {
                    return $current;
                }
                $purchase->beginNextAttempt($attempt, $checkoutId);
                continue;
            }
            $opened = self::create($purchase);
            if ($opened === null) {
                // Another tab may have opened the same checkout meanwhile, and its payer may have paid.
                $purchase->readAgain();
                return self::current($purchase);
            }
            // A repeated request returns the first response, whose checkout may have ended: the next round asks.
            $purchase->saveCheckout($opened->checkoutId, $attempt);
        }
        return new self(new Outcome($purchase->state(), true), null);
    }

    /** The checkout that is open or pending, if there is one. The payer may need it to enter a code. Begins nothing. */
    public static function current(Purchase $purchase): self
    {
        $outcome = Inquiry::ask($purchase);
        $isOpen = $outcome->state === PurchaseState::Open || $outcome->state === PurchaseState::Pending;
        $mayPay = $outcome->isKnown && $isOpen && $purchase->checkoutId() !== null;
        return new self($outcome, $mayPay ? self::create($purchase) : null);
    }

    /**
     * Opens the checkout of the attempt, or returns the open one: the service repeats its response to the same key. So its
     * token is never stored here. Null where the service refuses or does not answer; the payer has not seen it then, so no
     * money has moved.
     */
    private static function create(Purchase $purchase): ?OpenedCheckout
    {
        $request = ['reference' => $purchase->reference()] + $purchase->checkoutRequest();
        $key = "{$purchase->reference()}-{$purchase->attempt()}";
        try {
            return Service::client($purchase->mode())->checkouts->create($request, $key);
        } catch (TuaException $error) {
            Log::write("{$purchase->reference()}: {$error->getMessage()}");
            return null;
        }
    }
}
