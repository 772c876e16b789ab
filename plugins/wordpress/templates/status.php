<?php

// How a payment stands. $payment, $embedded, $text, $failure, $button and $isPaid belong to it.
declare(strict_types=1);

use TuaPayments\Payments\PaymentKey;

defined('ABSPATH') || exit;

/**
 * @var TuaPayments\Payments\Payment $payment
 * @var TuaPayments\Vendor\Tua\Model\OpenedCheckout|null $embedded
 * @var string $text
 * @var string|null $failure
 * @var string|null $button
 * @var bool $isPaid
 */
?>
<div class="tua-payments<?php echo $embedded === null ? '' : ' tua-embedded'; ?>" data-tua-payment>
    <p class="tua-title"><?php echo esc_html(get_the_title($payment->itemId())); ?></p>
    <?php if ($embedded !== null) : ?>
        <tua-checkout token="<?php echo esc_attr($embedded->checkoutToken); ?>"></tua-checkout>
        <noscript><p><a href="<?php echo esc_url($embedded->url); ?>"><?php esc_html_e('Pay', 'tua-payments'); ?></a></p></noscript>
    <?php else : ?>
        <p role="status"><strong><?php echo esc_html($text); ?></strong></p>
        <?php if ($failure !== null) : ?>
            <p><?php echo esc_html($failure); ?></p>
        <?php endif; ?>
        <p>GHS <?php echo esc_html($payment->amount()); ?> · <?php echo esc_html($payment->reference()); ?></p>
        <?php if ($button !== null) : ?>
            <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
                <input type="hidden" name="action" value="tua_payments_resume">
                <input type="hidden" name="payment" value="<?php echo esc_attr(PaymentKey::of($payment)); ?>">
                <button class="wp-element-button" type="submit"><?php echo esc_html($button); ?></button>
            </form>
        <?php elseif ($isPaid) : ?>
            <p><a href="<?php echo esc_url($payment->text('page')); ?>"><?php esc_html_e('Back to the page', 'tua-payments'); ?></a></p>
        <?php endif; ?>
    <?php endif; ?>
</div>
