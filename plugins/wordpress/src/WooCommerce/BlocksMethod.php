<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;
use TuaPayments\Plugin;

defined('ABSPATH') || exit;

/** The payment method in WooCommerce's checkout block. */
final class BlocksMethod extends AbstractPaymentMethodType
{
    private const SCRIPT = 'tua-payments-woocommerce';

    protected $name = Gateway::ID;

    public function __construct(private readonly string $file)
    {
    }

    public function initialize(): void
    {
        $this->settings = get_option('woocommerce_' . Gateway::ID . '_settings', []);
    }

    public function is_active(): bool
    {
        return $this->get_setting('enabled') === 'yes' && Gateway::unavailableReason() === null;
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script(self::SCRIPT, plugins_url('assets/woocommerce.js', $this->file), $needs, Plugin::VERSION, true);
        return [self::SCRIPT];
    }

    /** @return array{title: string, description: string, supports: list<string>} */
    public function get_payment_method_data(): array
    {
        return [
            'title' => (string) $this->get_setting('title', __('Mobile money', 'tua-payments')),
            'description' => (string) $this->get_setting('description', ''),
            'supports' => ['products', 'refunds'],
        ];
    }
}
