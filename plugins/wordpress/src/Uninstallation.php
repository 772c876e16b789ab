<?php

declare(strict_types=1);

namespace TuaPayments;

use TuaPayments\Items\Item;
use TuaPayments\Payments\PaymentTypes;
use TuaPayments\Payments\PendingCheck;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;

defined('ABSPATH') || exit;

/** Deletes what the plug-in stored, on each site of a network. */
final class Uninstallation
{
    public static function run(): void
    {
        if (!is_multisite()) {
            self::cleanSite();
            return;
        }
        foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $siteId) {
            switch_to_blog((int) $siteId);
            self::cleanSite();
            restore_current_blog();
        }
    }

    private static function cleanSite(): void
    {
        if (Settings::deletesRecords()) {
            self::deleteRecords();
        }
        wp_clear_scheduled_hook(PendingCheck::HOOK);
        delete_option(Settings::OPTION);
        delete_option('woocommerce_tua_settings');
        foreach (Mode::cases() as $mode) {
            delete_option("tua_payments_webhook_{$mode->value}");
        }
    }

    private static function deleteRecords(): void
    {
        global $wpdb;
        // phpcs:ignore WordPress.DB -- also posts with statuses that are registered no longer.
        $ids = $wpdb->get_col($wpdb->prepare("SELECT ID FROM {$wpdb->posts} WHERE post_type IN (%s, %s)", PaymentTypes::PAYMENT, Item::TYPE));
        foreach ($ids as $id) {
            wp_delete_post((int) $id, true);
        }
    }
}
