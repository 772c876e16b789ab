<?php

declare(strict_types=1);

namespace TuaPayments\Admin;

use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PaymentTypes;

defined('ABSPATH') || exit;

/** The list of payments. */
final class PaymentList
{
    public static function register(): void
    {
        $type = PaymentTypes::PAYMENT;
        add_filter("manage_{$type}_posts_columns", self::columns(...));
        add_action("manage_{$type}_posts_custom_column", self::showColumn(...), 10, 2);
        add_filter("bulk_actions-edit-{$type}", static fn (): array => []);
        add_filter('post_row_actions', self::rowActions(...), 10, 2);
        add_action('load-post.php', self::redirectToPage(...));
    }

    /** @return array<string, string> */
    private static function columns(): array
    {
        return [
            'title' => __('Item', 'tua-payments'),
            'tua_amount' => __('Amount', 'tua-payments'),
            'tua_state' => __('Status', 'tua-payments'),
            'tua_email' => __('Payer', 'tua-payments'),
            'tua_reference' => __('Reference', 'tua-payments'),
            'date' => __('Date', 'tua-payments'),
        ];
    }

    private static function showColumn(string $column, int $postId): void
    {
        $payment = new Payment($postId);
        echo esc_html(match ($column) {
            'tua_amount' => "GHS {$payment->amount()}",
            'tua_state' => self::state($payment),
            'tua_email' => $payment->email(),
            'tua_reference' => $payment->reference(),
            default => '',
        });
    }

    /** The status, with what a person must know beside it. */
    public static function state(Payment $payment): string
    {
        $notes = [$payment->state()->label()];
        if ($payment->mode()->value === 'test') {
            $notes[] = __('test', 'tua-payments');
        }
        if ($payment->flags() !== []) {
            $notes[] = __('look at it', 'tua-payments');
        }
        return implode(' · ', $notes);
    }

    /**
     * @param array<string, string> $actions
     *
     * @return array<string, string>
     */
    private static function rowActions(array $actions, \WP_Post $post): array
    {
        return $post->post_type === PaymentTypes::PAYMENT ? [] : $actions;
    }

    /** WordPress's own page of a post has nothing to do for a payment. */
    private static function redirectToPage(): void
    {
        // phpcs:ignore WordPress.Security.NonceVerification -- it only redirects.
        $payment = PaymentStore::find(absint(wp_unslash($_GET['post'] ?? 0)));
        if ($payment !== null) {
            wp_safe_redirect(PaymentPages::url($payment));
            exit;
        }
    }
}
