<?php

// The settings. $messages, $settingsNonce and $connectionNonce belong to the page.
declare(strict_types=1);

use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\Settings\SettingsPage;
use TuaPayments\Webhook\WebhookRoute;

defined('ABSPATH') || exit;

/**
 * @var list<array{type: string, text: string}> $messages
 * @var string $settingsNonce
 * @var string $connectionNonce
 */
$labels = [
    'secret_key' => __('Secret key', 'tua-payments'),
    'webhook_secret' => __('Webhook secret', 'tua-payments'),
    'old_webhook_secret' => __('Old webhook secret, while it is rotated', 'tua-payments'),
];
$helps = [
    'secret_key' => __('A key of version 2 from the dashboard of Tua, with the scopes collect, read and refund.', 'tua-payments'),
    'webhook_secret' => __('It proves that a webhook comes from your service. Without it payments are found a minute later.', 'tua-payments'),
    'old_webhook_secret' => __('Webhooks signed with it are accepted too. A new webhook secret puts the one before here.', 'tua-payments'),
];
?>
<div class="wrap">
    <h1><?php esc_html_e('Settings of Tua', 'tua-payments'); ?></h1>
    <?php foreach ($messages as $message) : ?>
        <div class="notice notice-<?php echo esc_attr($message['type']); ?>"><p><?php echo esc_html($message['text']); ?></p></div>
    <?php endforeach; ?>
    <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>" autocomplete="off">
        <input type="hidden" name="action" value="tua_payments_settings">
        <?php wp_nonce_field($settingsNonce); ?>
        <table class="form-table" role="presentation">
            <tr>
                <th scope="row"><?php esc_html_e('Mode', 'tua-payments'); ?></th>
                <td>
                    <label><input type="radio" name="tua[mode]" value="test" <?php checked(Settings::mode() === Mode::Test); ?>> <?php esc_html_e('Test: no real money moves', 'tua-payments'); ?></label><br>
                    <label><input type="radio" name="tua[mode]" value="live" <?php checked(Settings::mode() === Mode::Live); ?>> <?php esc_html_e('Live', 'tua-payments'); ?></label>
                    <p class="description"><?php esc_html_e('New payments begin in this mode. A payment that began in the other mode stays there. Tua takes Ghana cedis (GHS) only.', 'tua-payments'); ?></p>
                </td>
            </tr>
            <tr>
                <th scope="row"><label for="tua-service"><?php esc_html_e('Address of the service', 'tua-payments'); ?></label></th>
                <td><input id="tua-service" class="regular-text" name="tua[service_url]" value="<?php echo esc_attr(Settings::serviceUrl()); ?>" placeholder="https://pay.example">
                    <p class="description"><?php esc_html_e('Where your Tua service runs. It is the address of its dashboard, without a path.', 'tua-payments'); ?></p></td>
            </tr>
            <tr>
                <th scope="row"><?php esc_html_e('Webhook address', 'tua-payments'); ?></th>
                <td><code><?php echo esc_html(WebhookRoute::url()); ?></code>
                    <p class="description"><?php esc_html_e('Enter this address in the dashboard of Tua, once for each mode. Tua shows the webhook secret once.', 'tua-payments'); ?></p></td>
            </tr>
        </table>
        <?php foreach (Mode::cases() as $mode) : ?>
            <h2><?php echo esc_html($mode === Mode::Test ? __('Test mode', 'tua-payments') : __('Live mode', 'tua-payments')); ?></h2>
            <table class="form-table" role="presentation">
                <?php foreach ($labels as $name => $label) : ?>
                    <?php $field = "{$mode->value}_{$name}"; ?>
                    <tr>
                        <th scope="row"><label for="<?php echo esc_attr("tua-{$field}"); ?>"><?php echo esc_html($label); ?></label></th>
                        <td>
                            <input id="<?php echo esc_attr("tua-{$field}"); ?>" class="regular-text" type="password" autocomplete="new-password" name="<?php echo esc_attr("tua[{$field}]"); ?>" <?php disabled(Settings::isConstant($mode, $name)); ?>>
                            <p class="description"><?php echo esc_html($helps[$name]); ?><br><?php echo esc_html(SettingsPage::description($mode, $name)); ?></p>
                            <?php if (!Settings::isConstant($mode, $name) && Settings::secret($mode, $name) !== null) : ?>
                                <label><input type="checkbox" name="<?php echo esc_attr("tua[{$field}_delete]"); ?>" value="1"> <?php esc_html_e('Delete it', 'tua-payments'); ?></label>
                            <?php endif; ?>
                        </td>
                    </tr>
                <?php endforeach; ?>
            </table>
        <?php endforeach; ?>
        <h2><?php esc_html_e('When the plug-in is deleted', 'tua-payments'); ?></h2>
        <p><label><input type="checkbox" name="tua[delete_records]" value="1" <?php checked(Settings::deletesRecords()); ?>>
            <?php esc_html_e('Also delete the items and the records of payments. Keys and secrets are always deleted.', 'tua-payments'); ?></label></p>
        <?php submit_button(); ?>
    </form>
    <form method="post" action="<?php echo esc_url(admin_url('admin-post.php')); ?>">
        <input type="hidden" name="action" value="tua_payments_connection">
        <?php wp_nonce_field($connectionNonce); ?>
        <?php submit_button(__('Check the connection', 'tua-payments'), 'secondary', 'check'); ?>
    </form>
</div>
