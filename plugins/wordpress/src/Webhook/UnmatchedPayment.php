<?php

declare(strict_types=1);

namespace TuaPayments\Webhook;

use TuaPayments\Alert;
use TuaPayments\Settings\Mode;
use TuaPayments\Site;
use TuaPayments\Vendor\Tua\Model\Checkout;

defined('ABSPATH') || exit;

/** A paid checkout of this site whose order or payment is not here any more, because somebody has deleted it. */
final class UnmatchedPayment
{
    /** Other sites of the same account get the same events, and have the orders of their checkouts. */
    public static function report(Checkout $checkout, Mode $mode): void
    {
        $isOfThisSite = ($checkout->metadata['site'] ?? null) === Site::address();
        if (!$isOfThisSite || $checkout->linkId !== null || $checkout->paidTransaction === null || $checkout->mode !== $mode->value) {
            return;
        }
        Alert::send($mode, sprintf(
            /* translators: 1: an amount in GHS, 2: a reference, 3: the id of a checkout. */
            __('GHS %1$s were paid, and the order is not on this site any more. Refund the payment in the dashboard of Tua. Reference: %2$s. Checkout: %3$s.', 'tua-payments'),
            $checkout->amount,
            $checkout->reference,
            $checkout->checkoutId,
        ));
    }
}
