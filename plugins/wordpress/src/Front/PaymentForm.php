<?php

declare(strict_types=1);

namespace TuaPayments\Front;

use TuaPayments\Items\Item;
use TuaPayments\Items\PaymentLinks;
use TuaPayments\Items\Presentation;
use TuaPayments\Payments\PaymentKey;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/** What the shortcode and the block show: a form, a payment link, or how the payment of this address stands. */
final class PaymentForm
{
    /** @param array<string, mixed>|string $attributes Of [tua_payment item="12" button="Give"]. */
    public static function showShortcode(array|string $attributes): string
    {
        $values = shortcode_atts(['item' => '0', 'button' => ''], (array) $attributes, 'tua_payment');
        return self::show((int) $values['item'], (string) $values['button']);
    }

    /** @param array<string, mixed> $attributes Of the block. */
    public static function showBlock(array $attributes): string
    {
        return self::show((int) ($attributes['item'] ?? 0), (string) ($attributes['button'] ?? ''));
    }

    private static function show(int $itemId, string $button): string
    {
        wp_enqueue_style('tua-payments');
        $panel = StatusPanel::current();
        if ($panel !== null && $panel->payment->itemId() === $itemId) {
            return $panel->show();
        }
        $item = Item::published($itemId);
        $notice = $item === null ? __('There is no such item, or it is not published.', 'tua-payments') : self::notice($item);
        if ($notice !== null) {
            return current_user_can('manage_options') ? '<p class="tua-notice">' . esc_html("Tua: {$notice}") . '</p>' : '';
        }
        ob_start();
        $label = $button !== '' ? $button : self::label($item);
        $link = $item->presentation() === Presentation::Link ? PaymentLinks::current($item) : null;
        $fault = self::fault($item);
        require dirname(__DIR__, 2) . ($link === null ? '/templates/form.php' : '/templates/link.php');
        return (string) ob_get_clean();
    }

    /** Why nothing is shown to visitors, in a sentence for who manages the site; null where there is no reason. */
    private static function notice(Item $item): ?string
    {
        return match (true) {
            !Settings::isReady(Settings::mode()) => __('enter the address of the service and a secret key in the settings.', 'tua-payments'),
            !$item->isComplete() => __('this item needs a price.', 'tua-payments'),
            $item->presentation() === Presentation::Link && PaymentLinks::current($item) === null
                => __('the payment link is not created yet. Update the item.', 'tua-payments'),
            default => null,
        };
    }

    private static function label(Item $item): string
    {
        $amount = $item->amount();
        if ($item->isDonation()) {
            // translators: %s: an amount in GHS.
            return $amount === null ? __('Give', 'tua-payments') : sprintf(__('Give GHS %s', 'tua-payments'), $amount);
        }
        // translators: %s: an amount in GHS.
        return sprintf(__('Pay GHS %s', 'tua-payments'), (string) $amount);
    }

    /** Why the payment that was asked for did not begin. */
    private static function fault(Item $item): ?string
    {
        $code = sanitize_key(wp_unslash($_GET['tua-fault'] ?? ''));
        return match ($code) {
            'amount' => __('Enter an amount in cedis, such as 18.50.', 'tua-payments'),
            'limit' => implode(' ', array_filter([
                // translators: %s: an amount in GHS.
                $item->minAmount() === null ? null : sprintf(__('The smallest amount is GHS %s.', 'tua-payments'), $item->minAmount()),
                // translators: %s: an amount in GHS.
                $item->maxAmount() === null ? null : sprintf(__('The largest amount is GHS %s.', 'tua-payments'), $item->maxAmount()),
            ])),
            'email' => __('Enter an e-mail address, such as ama@example.com.', 'tua-payments'),
            'rate' => __('Too many payments were begun from this connection. Wait ten minutes. No money moved.', 'tua-payments'),
            'busy' => __('Your payment is being prepared at this moment. Please press the button again in a minute.', 'tua-payments'),
            'closed' => __('This is not sold any more. No money moved.', 'tua-payments'),
            default => null,
        };
    }

    /** Whether payments are simulated, which the form says. */
    public static function isTest(): bool
    {
        return Settings::mode() === Mode::Test;
    }

    /** The address of the page that is shown, without what this plug-in adds to it. */
    public static function pageUrl(): string
    {
        $path = esc_url_raw(wp_unslash($_SERVER['REQUEST_URI'] ?? '/'));
        $parts = wp_parse_url(home_url());
        $origin = "{$parts['scheme']}://{$parts['host']}" . (isset($parts['port']) ? ":{$parts['port']}" : '');
        $added = [PaymentKey::PARAMETER, 'tua-fault', 'checkoutId', 'reference'];
        return remove_query_arg($added, $origin . $path);
    }
}
