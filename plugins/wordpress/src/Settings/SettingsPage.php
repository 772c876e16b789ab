<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

defined('ABSPATH') || exit;

/** The page Tua › Settings. */
final class SettingsPage
{
    public const SLUG = 'tua-payments-settings';
    private const SETTINGS_NONCE = 'tua_payments_settings';
    private const CONNECTION_NONCE = 'tua_payments_connection';

    public static function register(): void
    {
        add_menu_page('Tua', 'Tua', 'manage_options', 'tua-payments', '', 'dashicons-money-alt', 56);
        $title = __('Settings of Tua', 'tua-payments');
        add_submenu_page('tua-payments', $title, __('Settings', 'tua-payments'), 'manage_options', self::SLUG, self::show(...));
    }

    public static function show(): void
    {
        if (!current_user_can('manage_options')) {
            return;
        }
        $messages = self::takeMessages();
        $settingsNonce = self::SETTINGS_NONCE;
        $connectionNonce = self::CONNECTION_NONCE;
        require dirname(__DIR__, 2) . '/templates/settings.php';
    }

    public static function save(): never
    {
        self::authorize(self::SETTINGS_NONCE);
        // phpcs:ignore WordPress.Security -- SettingsForm checks each value: cleaning would change a wrong key silently.
        $sent = isset($_POST['tua']) && is_array($_POST['tua']) ? wp_unslash($_POST['tua']) : [];
        $form = new SettingsForm();
        update_option(Settings::OPTION, $form->read(Settings::all(), $sent), false);
        $saved = ['type' => 'success', 'text' => __('The settings are saved.', 'tua-payments')];
        $faults = array_map(static fn (string $fault): array => ['type' => 'error', 'text' => $fault], $form->faults);
        self::redirect($faults === [] ? [$saved] : $faults);
    }

    public static function checkConnection(): never
    {
        self::authorize(self::CONNECTION_NONCE);
        self::redirect(ConnectionCheck::run(Settings::mode()));
    }

    private static function authorize(string $nonce): void
    {
        check_admin_referer($nonce);
        if (!current_user_can('manage_options')) {
            wp_die(esc_html__('You may not do that.', 'tua-payments'), '', ['response' => 403]);
        }
    }

    /** @param list<array{type: string, text: string}> $messages */
    private static function redirect(array $messages): never
    {
        set_transient('tua_payments_messages_' . get_current_user_id(), $messages, 60);
        wp_safe_redirect(admin_url('admin.php?page=' . self::SLUG));
        exit;
    }

    /** @return list<array{type: string, text: string}> */
    private static function takeMessages(): array
    {
        $name = 'tua_payments_messages_' . get_current_user_id();
        $messages = get_transient($name);
        delete_transient($name);
        return is_array($messages) ? $messages : [];
    }

    /** What the page shows of a secret: where it is, and its last four characters. */
    public static function description(Mode $mode, string $name): string
    {
        if (Settings::isConstant($mode, $name)) {
            // translators: %s: the name of a constant.
            return sprintf(__('It is defined in wp-config.php as %s.', 'tua-payments'), Settings::constantName($mode, $name));
        }
        $secret = Settings::secret($mode, $name);
        if ($secret !== null) {
            // translators: %s: four characters.
            return sprintf(__('It is stored, and ends with %s. Leave the field empty to keep it.', 'tua-payments'), substr($secret, -4));
        }
        return isset(Settings::all()["{$mode->value}_{$name}"])
            ? __('It was stored under other salts of wp-config.php and cannot be read. Enter it again.', 'tua-payments')
            : __('It is not set.', 'tua-payments');
    }
}
