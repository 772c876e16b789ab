<?php

// Deletes what the plug-in stored. The records of payments stay, unless the settings say otherwise: they are books.
declare(strict_types=1);

use TuaPayments\Items\Item;
use TuaPayments\Payments\PaymentTypes;
use TuaPayments\Payments\PendingCheck;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;

defined('WP_UNINSTALL_PLUGIN') || exit;

require __DIR__ . '/src/autoload.php';

if (Settings::deletesRecords()) {
    global $wpdb;
    // phpcs:ignore WordPress.DB -- also posts with statuses that are registered no longer.
    $ids = $wpdb->get_col($wpdb->prepare("SELECT ID FROM {$wpdb->posts} WHERE post_type IN (%s, %s)", PaymentTypes::PAYMENT, Item::TYPE));
    foreach ($ids as $id) {
        wp_delete_post((int) $id, true);
    }
}
wp_clear_scheduled_hook(PendingCheck::HOOK);
delete_option(Settings::OPTION);
delete_option('woocommerce_tua_settings');
foreach (Mode::cases() as $mode) {
    delete_option("tua_payments_webhook_{$mode->value}");
}
