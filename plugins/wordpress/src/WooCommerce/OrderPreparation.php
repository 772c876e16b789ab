<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/** Stores in an order what its payment needs, before anything is asked of the service. */
final class OrderPreparation
{
    private const CODE_LENGTH = 16;

    public static function prepare(\WC_Order $order, string $returnUrl): OrderPurchase
    {
        $purchase = new OrderPurchase($order);
        if (!self::isPrepared($purchase)) {
            $purchase->alone(static function () use ($purchase, $returnUrl): void {
                if (!self::isPrepared($purchase)) {
                    $purchase->deleteTexts();
                    $purchase->saveTexts(self::texts($purchase->order(), $returnUrl));
                }
            });
        }
        return $purchase;
    }

    /** An order keeps its mode, but for one: after the shop went live, no sandbox pays an order that it has not paid before. */
    private static function isPrepared(OrderPurchase $purchase): bool
    {
        if (!$purchase->isOwn()) {
            return false;
        }
        $isLeftOfTests = $purchase->mode() === Mode::Test && Settings::mode() === Mode::Live;
        return !$isLeftOfTests || $purchase->state()->isPaid();
    }

    /** @return array<string, string> */
    private static function texts(\WC_Order $order, string $returnUrl): array
    {
        $mode = Settings::mode();
        return [
            'reference' => self::reference($order, $mode),
            'mode' => $mode->value,
            'amount' => Orders::total($order),
            'email' => $order->get_billing_email(),
            'return_url' => $returnUrl,
            'attempt' => '1',
            // Empty until a checkout is opened, so that the timer finds only orders that it can ask about.
            'state' => '',
        ];
    }

    /** The same in each request of an order, so that two tabs open one checkout. Nobody can guess it without the site's salts. */
    private static function reference(\WC_Order $order, Mode $mode): string
    {
        $code = hash_hmac('sha256', "{$mode->value} {$order->get_id()} {$order->get_order_key()}", wp_salt('nonce'));
        return "wc-{$order->get_id()}-" . substr($code, 0, self::CODE_LENGTH);
    }
}
