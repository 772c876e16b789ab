<?php

declare(strict_types=1);

namespace TuaPayments\Admin;

use TuaPayments\Items\TypedAmount;
use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentStore;
use TuaPayments\Payments\PendingCheck;
use TuaPayments\Payments\Refunds;

defined('ABSPATH') || exit;

/** The page of one payment, with what people may do there: ask about it, and return its money. */
final class PaymentPages
{
    public const SLUG = 'tua-payments-payment';

    public static function register(): void
    {
        PaymentList::register();
        add_action('admin_menu', static function (): void {
            $title = __('Payment', 'tua-payments');
            add_submenu_page('tua-payments', $title, $title, 'manage_options', self::SLUG, self::show(...));
        });
        add_action('admin_head', static fn (): bool|array => remove_submenu_page('tua-payments', self::SLUG));
        add_action('admin_post_tua_payments_refund', self::refund(...));
        add_action('admin_post_tua_payments_ask', self::ask(...));
        add_filter('get_edit_post_link', self::editLink(...), 10, 2);
    }

    public static function url(Payment $payment): string
    {
        return admin_url('admin.php?page=' . self::SLUG . "&payment={$payment->id}");
    }

    private static function editLink(?string $link, int $postId): ?string
    {
        $payment = PaymentStore::find($postId);
        return $payment === null ? $link : self::url($payment);
    }

    private static function show(): void
    {
        // phpcs:ignore WordPress.Security.NonceVerification -- it reads.
        $payment = PaymentStore::find(absint(wp_unslash($_GET['payment'] ?? 0)));
        if (!current_user_can('manage_options') || $payment === null) {
            wp_die(esc_html__('There is no such payment.', 'tua-payments'), '', ['response' => 404]);
        }
        $refunds = Refunds::of($payment);
        $left = Refunds::left($payment);
        $name = self::messageName($payment);
        $message = get_transient($name);
        delete_transient($name);
        require dirname(__DIR__, 2) . '/templates/payment.php';
    }

    private static function refund(): never
    {
        $payment = self::authorizedPayment('tua_payments_refund');
        // phpcs:disable WordPress.Security.NonceVerification -- authorizedPayment verifies it.
        $number = absint(wp_unslash($_POST['number'] ?? 0));
        $amount = TypedAmount::read(sanitize_text_field(wp_unslash($_POST['amount'] ?? '')));
        $reason = sanitize_text_field(wp_unslash($_POST['reason'] ?? ''));
        // phpcs:enable
        $fault = __('Enter an amount in cedis, such as 18.50.', 'tua-payments');
        if ($amount !== null) {
            try {
                $payment->alone(static function () use ($payment, $number, $amount, $reason, &$fault): void {
                    $fault = Refunds::begin($payment, $number, $amount, $reason);
                });
            } catch (Busy) {
                $fault = __('The payment is being changed at this moment, and no refund was sent. Try again in a minute.', 'tua-payments');
            }
        }
        self::finish($payment, $fault ?? __('The refund was sent. This page shows whether the money was returned.', 'tua-payments'));
    }

    private static function ask(): never
    {
        $payment = self::authorizedPayment('tua_payments_ask');
        try {
            PendingCheck::check($payment);
            PendingCheck::checkRefunds($payment);
        } catch (Busy) {
            self::finish($payment, __('The payment is being changed at this moment. Try again in a minute.', 'tua-payments'));
        }
        self::finish($payment, __('The service was asked.', 'tua-payments'));
    }

    private static function authorizedPayment(string $nonce): Payment
    {
        $id = absint(wp_unslash($_POST['payment'] ?? 0)); // phpcs:ignore WordPress.Security.NonceVerification -- next line.
        check_admin_referer("{$nonce}_{$id}");
        $payment = PaymentStore::find($id);
        if (!current_user_can('manage_options') || $payment === null) {
            wp_die(esc_html__('You may not do that.', 'tua-payments'), '', ['response' => 403]);
        }
        return $payment;
    }

    private static function finish(Payment $payment, string $message): never
    {
        set_transient(self::messageName($payment), $message, 60);
        wp_safe_redirect(self::url($payment));
        exit;
    }

    private static function messageName(Payment $payment): string
    {
        return "tua_payments_message_{$payment->id}_" . get_current_user_id();
    }
}
