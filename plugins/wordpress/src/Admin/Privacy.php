<?php

declare(strict_types=1);

namespace TuaPayments\Admin;

use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PurchaseState;

defined('ABSPATH') || exit;

/** WordPress's tools that export and erase the data of a person. A record of a payment stays, without the person. */
final class Privacy
{
    private const PAGE_SIZE = 100;

    public static function register(): void
    {
        add_filter('wp_privacy_personal_data_exporters', static fn (array $exporters): array => $exporters + [
            'tua-payments' => ['exporter_friendly_name' => __('Payments with Tua', 'tua-payments'), 'callback' => self::export(...)],
        ]);
        add_filter('wp_privacy_personal_data_erasers', static fn (array $erasers): array => $erasers + [
            'tua-payments' => ['eraser_friendly_name' => __('Payments with Tua', 'tua-payments'), 'callback' => self::erase(...)],
        ]);
        add_action('admin_init', static function (): void {
            $text = __('When you pay with Tua, we store your e-mail address and what you paid, and send them to our payment service, which processes your mobile-money number.', 'tua-payments');
            wp_add_privacy_policy_content('Tua Payments', "<p>{$text}</p>");
        });
    }

    /** @return array{data: list<array<string, mixed>>, done: bool} */
    private static function export(string $email): array
    {
        $data = array_map(static fn (Payment $payment): array => [
            'group_id' => 'tua-payments',
            'group_label' => __('Payments with Tua', 'tua-payments'),
            'item_id' => "tua-payment-{$payment->id}",
            'data' => [
                ['name' => __('Reference', 'tua-payments'), 'value' => $payment->reference()],
                ['name' => __('Amount', 'tua-payments'), 'value' => "GHS {$payment->amount()}"],
                ['name' => __('Status', 'tua-payments'), 'value' => $payment->state()->label()],
                ['name' => __('Payer', 'tua-payments'), 'value' => $payment->email()],
            ],
        ], self::find($email, PurchaseState::cases(), -1));
        return ['data' => $data, 'done' => true];
    }

    /**
     * Payments that are not final keep the address, because it is part of the request that is repeated.
     *
     * @return array{items_removed: bool, items_retained: bool, messages: list<string>, done: bool}
     */
    private static function erase(string $email): array
    {
        $final = [PurchaseState::Paid, PurchaseState::Unpaid, PurchaseState::Refunded];
        $payments = self::find($email, $final, self::PAGE_SIZE);
        foreach ($payments as $payment) {
            PaymentStore::update($payment->id, ['email' => '', 'visitor' => '']);
            wp_update_post(['ID' => $payment->id, 'post_excerpt' => $payment->reference()]);
        }
        $kept = self::find($email, [PurchaseState::Open, PurchaseState::Pending], 1) !== [];
        $message = __('A payment is not confirmed yet. Erase it again later.', 'tua-payments');
        return [
            'items_removed' => $payments !== [],
            'items_retained' => $kept,
            'messages' => $kept ? [$message] : [],
            'done' => count($payments) < self::PAGE_SIZE,
        ];
    }

    /**
     * @param list<PurchaseState> $states
     *
     * @return list<Payment>
     */
    private static function find(string $email, array $states, int $limit): array
    {
        return PaymentStore::query($states, [['key' => PaymentStore::PREFIX . 'email', 'value' => $email]], $limit);
    }
}
