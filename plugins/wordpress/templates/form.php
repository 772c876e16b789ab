<?php

// The form with which a payment begins. $item, $label and $fault belong to it.
declare(strict_types=1);

use TuaPayments\Front\PaymentForm;

defined('ABSPATH') || exit;

/**
 * @var TuaPayments\Items\Item $item
 * @var string $label
 * @var string|null $fault
 */
$fieldId = wp_unique_id('tua-');
?>
<form class="tua-payments" method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
    <input type="hidden" name="action" value="tua_payments_begin">
    <input type="hidden" name="item" value="<?php echo esc_attr((string) $item->id); ?>">
    <input type="hidden" name="page" value="<?php echo esc_url(PaymentForm::pageUrl()); ?>">
    <p class="tua-title"><?php echo esc_html($item->title()); ?></p>
    <?php if ($fault !== null) : ?>
        <p class="tua-fault" role="alert"><?php echo esc_html($fault); ?></p>
    <?php endif; ?>
    <?php if ($item->amount() === null) : ?>
        <p><label for="<?php echo esc_attr($fieldId); ?>-amount"><?php esc_html_e('Amount in GHS', 'tua-payments'); ?></label>
        <input id="<?php echo esc_attr($fieldId); ?>-amount" name="amount" inputmode="decimal" autocomplete="off" required></p>
    <?php else : ?>
        <p class="tua-amount">GHS <?php echo esc_html($item->amount()); ?></p>
    <?php endif; ?>
    <p><label for="<?php echo esc_attr($fieldId); ?>-email"><?php esc_html_e('Your e-mail address', 'tua-payments'); ?></label>
    <input id="<?php echo esc_attr($fieldId); ?>-email" name="email" type="email" autocomplete="email" required></p>
    <p><button class="wp-element-button" type="submit"><?php echo esc_html($label); ?></button></p>
    <?php if (PaymentForm::isTest()) : ?>
        <p class="tua-notice"><?php esc_html_e('Test mode: no real money moves.', 'tua-payments'); ?></p>
    <?php endif; ?>
</form>
