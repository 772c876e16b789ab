<?php

// A payment link with its QR code. $item, $label and $link belong to it.
declare(strict_types=1);

use TuaPayments\Front\PaymentForm;

defined('ABSPATH') || exit;

/**
 * @var TuaPayments\Items\Item $item
 * @var string $label
 * @var array{url: string, qr: string} $link
 */
?>
<div class="tua-payments">
    <p class="tua-title"><?php echo esc_html($item->title()); ?></p>
    <p><a class="wp-element-button" href="<?php echo esc_url($link['url']); ?>"><?php echo esc_html($label); ?></a></p>
    <p><img class="tua-qr" src="<?php echo esc_url($link['qr']); ?>" width="160" height="160" loading="lazy"
        alt="<?php esc_attr_e('QR code of the payment link', 'tua-payments'); ?>"></p>
    <?php if (PaymentForm::isTest()) : ?>
        <p class="tua-notice"><?php esc_html_e('Test mode: no real money moves.', 'tua-payments'); ?></p>
    <?php endif; ?>
</div>
