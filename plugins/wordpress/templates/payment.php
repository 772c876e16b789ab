<?php

// The page of one payment. $payment, $refunds, $left and $message belong to it.
declare(strict_types=1);

use TuaPayments\Admin\PaymentList;
use TuaPayments\Vendor\Tua\Amount;

defined('ABSPATH') || exit;

/**
 * @var TuaPayments\Payments\Payment $payment
 * @var list<array{amount: string, reason: string, status: string, id: string, message: string, at: string}> $refunds
 * @var int $left
 * @var string|false $message
 */
$paidAt = (int) $payment->text('paid_at');
$facts = [
    __('Status', 'tua-payments') => PaymentList::state($payment),
    __('Amount', 'tua-payments') => "GHS {$payment->amount()}",
    __('Payer', 'tua-payments') => $payment->email(),
    __('Reference', 'tua-payments') => $payment->reference(),
    __('Begun', 'tua-payments') => (string) get_the_date('Y-m-d H:i', $payment->id),
    __('Paid', 'tua-payments') => $paidAt === 0 ? '' : (string) wp_date('Y-m-d H:i', $paidAt),
    __('Network', 'tua-payments') => $payment->text('network'),
    __('Checkout', 'tua-payments') => (string) $payment->checkoutId(),
    __('Transaction', 'tua-payments') => (string) $payment->transactionId(),
];
$statuses = [
    'UNKNOWN' => __('not known yet', 'tua-payments'),
    'LOST' => __('not known', 'tua-payments'),
    'PENDING' => __('under way', 'tua-payments'),
    'SUCCESSFUL' => __('returned', 'tua-payments'),
    'FAILED' => __('failed: no money was returned', 'tua-payments'),
];
?>
<div class="wrap">
    <h1><?php echo esc_html(get_the_title($payment->id)); ?></h1>
    <?php if (is_string($message)) : ?>
        <div class="notice notice-info"><p><?php echo esc_html($message); ?></p></div>
    <?php endif; ?>
    <?php foreach ($payment->flags() as $flag) : ?>
        <div class="notice notice-warning"><p><?php echo esc_html($flag); ?></p></div>
    <?php endforeach; ?>
    <table class="form-table" role="presentation">
        <?php foreach (array_filter($facts) as $label => $fact) : ?>
            <tr><th scope="row"><?php echo esc_html($label); ?></th><td><?php echo esc_html($fact); ?></td></tr>
        <?php endforeach; ?>
    </table>
    <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
        <input type="hidden" name="action" value="tua_payments_ask">
        <input type="hidden" name="payment" value="<?php echo esc_attr((string) $payment->id); ?>">
        <?php wp_nonce_field("tua_payments_ask_{$payment->id}"); ?>
        <?php submit_button(__('Ask the service now', 'tua-payments'), 'secondary', 'ask'); ?>
    </form>
    <h2><?php esc_html_e('Refunds', 'tua-payments'); ?></h2>
    <?php if ($refunds === []) : ?>
        <p><?php esc_html_e('There are none.', 'tua-payments'); ?></p>
    <?php else : ?>
        <ul class="ul-disc">
            <?php foreach ($refunds as $refund) : ?>
                <li><?php echo esc_html(implode(' · ', array_filter(["GHS {$refund['amount']}", $statuses[$refund['status']] ?? $refund['status'], $refund['reason'], $refund['message']]))); ?></li>
            <?php endforeach; ?>
        </ul>
    <?php endif; ?>
    <?php if ($payment->state()->isPaid() && $payment->transactionId() !== null && $left > 0) : ?>
        <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
            <input type="hidden" name="action" value="tua_payments_refund">
            <input type="hidden" name="payment" value="<?php echo esc_attr((string) $payment->id); ?>">
            <input type="hidden" name="number" value="<?php echo esc_attr((string) count($refunds)); ?>">
            <?php wp_nonce_field("tua_payments_refund_{$payment->id}"); ?>
            <p><label><?php esc_html_e('Amount in GHS', 'tua-payments'); ?>
                <input name="amount" class="small-text" inputmode="decimal" value="<?php echo esc_attr(Amount::fromPesewas($left)); ?>" required></label></p>
            <p><label><?php esc_html_e('Reason, which the payer does not see', 'tua-payments'); ?>
                <input name="reason" class="regular-text" maxlength="160"></label></p>
            <?php submit_button(__('Return the money', 'tua-payments'), 'secondary', 'return'); ?>
        </form>
    <?php endif; ?>
</div>
