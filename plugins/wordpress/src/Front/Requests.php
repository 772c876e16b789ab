<?php

declare(strict_types=1);

namespace TuaPayments\Front;

use TuaPayments\Items\Item;
use TuaPayments\Items\Presentation;
use TuaPayments\Items\TypedAmount;
use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentKey;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/**
 * The requests with which payers begin and continue payments. They have no nonce: they use no authority of the visitor, and
 * a nonce in a page that a cache keeps would be out of date.
 */
final class Requests
{
    /** Begins a payment, or continues the one that this visitor has not finished. */
    public static function begin(): never
    {
        // phpcs:disable WordPress.Security.NonceVerification
        $page = wp_validate_redirect(esc_url_raw(wp_unslash($_POST['page'] ?? '')), home_url('/'));
        $item = Item::published(absint(wp_unslash($_POST['item'] ?? 0)));
        if ($item === null || !$item->isComplete() || !Settings::isReady(Settings::mode())) {
            self::refuse($page, 'closed');
        }
        $typed = sanitize_text_field(wp_unslash($_POST['amount'] ?? ''));
        $email = sanitize_email(wp_unslash($_POST['email'] ?? ''));
        // phpcs:enable
        $amount = $item->amount() ?? TypedAmount::read($typed);
        if ($amount === null) {
            self::refuse($page, 'amount');
        }
        if ($item->amount() === null && $item->amountFault($amount) !== null) {
            self::refuse($page, 'limit');
        }
        if (!is_email($email)) {
            self::refuse($page, 'email');
        }
        $begun = self::findOrCreate($item, $amount, $email, $page);
        if (is_string($begun)) {
            self::refuse($page, $begun);
        }
        self::sendToPay($begun);
    }

    /** The payment that this visitor makes now. A string is the reason why there is none. */
    private static function findOrCreate(Item $item, string $amount, string $email, string $page): Payment|string
    {
        $begun = 'busy';
        Visitor::alone($email, static function (string $visitor) use ($item, $amount, $email, $page, &$begun): void {
            $begun = self::unfinished($item, $visitor, $amount, $email);
            if ($begun === null) {
                $begun = Visitor::mayBegin() ? PaymentStore::create($item, Settings::mode(), $amount, $email, $page, $visitor) : 'rate';
            }
        });
        return $begun;
    }

    /** Continues a payment whose page has the button. */
    public static function resume(): never
    {
        // phpcs:ignore WordPress.Security.NonceVerification
        $payment = PaymentKey::find(sanitize_text_field(wp_unslash($_POST['payment'] ?? '')));
        if ($payment === null) {
            self::redirect(home_url('/'));
        }
        self::sendToPay($payment);
    }

    /**
     * The payment of this visitor for this item that is not over, if it must be continued: it is the same one, or its
     * outcome is not known. One with another amount is closed first, so that the payer cannot pay both.
     */
    private static function unfinished(Item $item, string $visitor, string $amount, string $email): ?Payment
    {
        $meta = [
            ['key' => PaymentStore::PREFIX . 'visitor', 'value' => $visitor],
            ['key' => PaymentStore::PREFIX . 'item', 'value' => (string) $item->id],
            ['key' => PaymentStore::PREFIX . 'mode', 'value' => Settings::mode()->value],
        ];
        foreach (PaymentStore::query([PurchaseState::Open, PurchaseState::Pending], $meta, 20) as $payment) {
            if ($payment->amount() === $amount && $payment->email() === $email) {
                $outcome = Inquiry::ask($payment);
                if (!$outcome->isKnown || $outcome->state !== PurchaseState::Unpaid) {
                    return $payment; // Also one that was paid just now: its page says so.
                }
            } elseif (!Inquiry::close($payment) && !$payment->state()->isPaid()) {
                return $payment;
            }
        }
        return null;
    }

    private static function sendToPay(Payment $payment): never
    {
        try {
            $checkout = Opening::of($payment)->checkout;
        } catch (Busy) {
            $checkout = null; // The page of the payment shows what the other request has stored.
        }
        $isHosted = Item::published($payment->itemId())?->presentation() === Presentation::Hosted;
        self::redirect($isHosted && $checkout !== null ? $checkout->url : $payment->returnUrl());
    }

    private static function refuse(string $page, string $fault): never
    {
        self::redirect(add_query_arg('tua-fault', $fault, $page));
    }

    /** Redirects to this site or to the service, and nowhere else. */
    private static function redirect(string $url): never
    {
        add_filter('allowed_redirect_hosts', static function (array $hosts): array {
            return [...$hosts, (string) wp_parse_url(Settings::serviceUrl(), PHP_URL_HOST)];
        });
        nocache_headers();
        wp_safe_redirect($url, 303, 'Tua Payments');
        exit;
    }
}
