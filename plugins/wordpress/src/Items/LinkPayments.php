<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Payments\Lock;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Payments\Recorder;
use TuaPayments\Service\Service;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Model\Checkout;
use TuaPayments\Vendor\Tua\Model\CheckoutStatus;
use TuaPayments\Vendor\Tua\Model\Transaction;

defined('ABSPATH') || exit;

/** Stores what was paid with payment links: the payer was never on this site, so the payment begins here when it is paid. */
final class LinkPayments
{
    /** How far back a question about a link looks, in seconds. The service has sent webhooks again for less. */
    private const PERIOD = 4 * DAY_IN_SECONDS;

    /** Records a paid checkout of a link of this site. Others are ignored. */
    public static function record(Checkout $checkout, Mode $mode): void
    {
        $item = $checkout->linkId === null ? null : self::findItem($checkout->linkId, $mode);
        if ($item === null || $checkout->status !== CheckoutStatus::Paid || $checkout->mode !== $mode->value) {
            return;
        }
        $charge = $checkout->paidTransaction;
        $stored = self::find($checkout->checkoutId, $mode);
        if ($charge === null && $stored !== null) {
            Recorder::flagNoMoney($stored);
        }
        if ($charge === null || $stored !== null) {
            return;
        }
        // A webhook and a question may find the same payment at the same time.
        $isDone = Lock::run("link_{$checkout->checkoutId}", static function () use ($item, $charge, $checkout, $mode): void {
            if (self::find($checkout->checkoutId, $mode) === null) {
                self::insert($item, $charge, $checkout);
            }
        });
        if (!$isDone) {
            throw new \RuntimeException('Another request is storing this payment.');
        }
    }

    /** Asks what was paid with the links of this site, for webhooks that were lost. */
    public static function ask(Mode $mode): void
    {
        $since = gmdate('Y-m-d\TH:i:s\Z', time() - self::PERIOD);
        foreach (Item::withLink($mode) as $item) {
            foreach (array_column(self::links($item, $mode), 'reference') as $reference) {
                $filter = ['reference' => $reference, 'status' => CheckoutStatus::Paid->value, 'createdAfter' => $since];
                foreach (Service::client($mode)->checkouts->list($filter) as $checkout) {
                    self::record($checkout, $mode);
                }
            }
        }
    }

    /** @param Transaction $charge The one that brought the money. */
    private static function insert(Item $item, Transaction $charge, Checkout $checkout): void
    {
        $id = PaymentStore::insert($item->title(), PurchaseState::Open, [
            'mode' => $charge->mode,
            'amount' => $charge->amount,
            'email' => (string) $checkout->email,
            'item' => (string) $item->id,
            'reference' => $charge->reference,
            'checkout_id' => $checkout->checkoutId,
            'paid_checkout_id' => $checkout->checkoutId,
            'transaction_id' => $charge->transactionId,
            'network' => $charge->network,
            'paid_at' => (string) time(),
            'attempt' => '1',
        ]);
        PaymentStore::move($id, PurchaseState::Paid, [PurchaseState::Open]);
        $payment = new Payment($id);
        Recorder::recordCharge($payment, $charge);
        do_action('tua_payments_paid', $payment);
    }

    /** The payment that a checkout has paid. */
    public static function find(string $checkoutId, Mode $mode): ?Payment
    {
        $isOfCheckout = ['key' => PaymentStore::PREFIX . 'checkout_id', 'value' => $checkoutId];
        $payment = PaymentStore::query([PurchaseState::Paid, PurchaseState::Refunded], [$isOfCheckout], 1)[0] ?? null;
        return $payment?->mode() === $mode ? $payment : null;
    }

    private static function findItem(string $linkId, Mode $mode): ?Item
    {
        foreach (Item::withLink($mode) as $item) {
            if (in_array($linkId, array_column(self::links($item, $mode), 'id'), true)) {
                return $item;
            }
        }
        return null;
    }

    /**
     * The link of the item, and earlier ones: a charge may end after another price has replaced its link.
     *
     * @return list<array{id: string, reference: string}>
     */
    private static function links(Item $item, Mode $mode): array
    {
        return [...array_filter([$item->link($mode)]), ...$item->oldLinks($mode)];
    }
}
