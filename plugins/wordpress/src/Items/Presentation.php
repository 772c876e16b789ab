<?php

declare(strict_types=1);

namespace TuaPayments\Items;

defined('ABSPATH') || exit;

/** How payers pay for an item. */
enum Presentation: string
{
    /** With the checkout component in the site's own page. */
    case Embedded = 'embedded';
    /** On the service's payment page, with a way back. */
    case Hosted = 'hosted';
    /** With a payment link, which also can be printed or sent. It needs no form on the site. */
    case Link = 'link';

    public function label(): string
    {
        return match ($this) {
            self::Embedded => __('In the page, with the checkout of Tua', 'tua-payments'),
            self::Hosted => __('On the payment page of Tua', 'tua-payments'),
            self::Link => __('With a payment link and its QR code', 'tua-payments'),
        };
    }
}
