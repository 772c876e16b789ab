<?php

declare(strict_types=1);

namespace TuaPayments;

use TuaPayments\Admin\PaymentPages;
use TuaPayments\Admin\Privacy;
use TuaPayments\Front\PaymentForm;
use TuaPayments\Front\Requests;
use TuaPayments\Front\StatusPanel;
use TuaPayments\Items\Item;
use TuaPayments\Items\ItemType;
use TuaPayments\Payments\PaymentTypes;
use TuaPayments\Payments\PendingCheck;
use TuaPayments\Settings\SettingsPage;
use TuaPayments\Webhook\WebhookRoute;
use TuaPayments\WooCommerce\Integration;

defined('ABSPATH') || exit;

/** Connects the plug-in with WordPress. */
final class Plugin
{
    public const VERSION = '0.1.0';

    /** @param string $file The main file of the plug-in. */
    public function __construct(private readonly string $file)
    {
    }

    public function register(): void
    {
        add_action('init', $this->init(...));
        add_action('rest_api_init', WebhookRoute::register(...));
        add_filter('cron_schedules', PendingCheck::addInterval(...));
        add_action(PendingCheck::HOOK, PendingCheck::run(...));
        register_deactivation_hook($this->file, static fn (): int|false => wp_clear_scheduled_hook(PendingCheck::HOOK));
        $this->registerFront();
        $this->registerAdmin();
        (new Integration($this->file))->register();
    }

    private function init(): void
    {
        load_plugin_textdomain('tua-payments', false, dirname(plugin_basename($this->file)) . '/languages');
        PaymentTypes::register();
        ItemType::register();
        StatusPanel::registerAssets($this->file);
        add_shortcode('tua_payment', PaymentForm::showShortcode(...));
        $this->registerBlock();
        PendingCheck::schedule();
    }

    private function registerBlock(): void
    {
        $script = 'tua-payments-block';
        $needs = ['wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render'];
        wp_register_script($script, plugins_url('blocks/item/editor.js', $this->file), $needs, self::VERSION, true);
        wp_set_script_translations($script, 'tua-payments', plugin_dir_path($this->file) . 'languages');
        register_block_type(plugin_dir_path($this->file) . 'blocks/item', ['render_callback' => PaymentForm::showBlock(...)]);
        add_action('enqueue_block_editor_assets', static function () use ($script): void {
            $items = array_map(static fn (Item $item): array => ['id' => $item->id, 'title' => $item->title()], Item::all());
            wp_add_inline_script($script, 'window.tuaPaymentsItems = ' . wp_json_encode($items, JSON_HEX_TAG) . ';', 'before');
        });
    }

    private function registerFront(): void
    {
        foreach (['admin_post_', 'admin_post_nopriv_'] as $prefix) {
            add_action("{$prefix}tua_payments_begin", Requests::begin(...));
            add_action("{$prefix}tua_payments_resume", Requests::resume(...));
        }
        add_action('template_redirect', StatusPanel::prepare(...));
        add_action('wp_footer', StatusPanel::showInFooter(...), 5);
        add_filter('script_loader_tag', StatusPanel::asModule(...), 10, 2);
    }

    private function registerAdmin(): void
    {
        add_action('admin_menu', SettingsPage::register(...));
        add_action('admin_post_tua_payments_settings', SettingsPage::save(...));
        add_action('admin_post_tua_payments_connection', SettingsPage::checkConnection(...));
        add_action('add_meta_boxes_' . Item::TYPE, ItemType::addBoxes(...));
        add_action('save_post_' . Item::TYPE, ItemType::save(...));
        add_action('transition_post_status', ItemType::followStatus(...), 10, 3);
        add_action('admin_notices', ItemType::showFaults(...));
        add_filter('manage_' . Item::TYPE . '_posts_columns', ItemType::columns(...));
        add_action('manage_' . Item::TYPE . '_posts_custom_column', ItemType::showColumn(...), 10, 2);
        PaymentPages::register();
        Privacy::register();
    }
}
