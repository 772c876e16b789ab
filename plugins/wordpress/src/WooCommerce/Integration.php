<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;
use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use Automattic\WooCommerce\Utilities\FeaturesUtil;

defined('ABSPATH') || exit;

/** Connects the gateway with WooCommerce, if it is active. */
final class Integration
{
    public function __construct(private readonly string $file)
    {
    }

    public function register(): void
    {
        add_action('before_woocommerce_init', $this->declareFeatures(...));
        add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Gateway::class]);
        add_action('woocommerce_blocks_loaded', $this->registerBlocks(...));
        // The class of the gateway is loaded only where WooCommerce is.
        add_action('woocommerce_thankyou_tua', static fn (int $orderId) => Gateway::showOutcome($orderId));
        add_filter('woocommerce_email_enabled_customer_on_hold_order', self::sendsHoldMail(...), 10, 2);
        OrderPrivacy::register();
        OrderEnding::register();
    }

    /** Orders are read and written with their own methods (HPOS), and the method is in the checkout block. */
    private function declareFeatures(): void
    {
        if (class_exists(FeaturesUtil::class)) {
            FeaturesUtil::declare_compatibility('custom_order_tables', $this->file, true);
            FeaturesUtil::declare_compatibility('cart_checkout_blocks', $this->file, true);
        }
    }

    private function registerBlocks(): void
    {
        if (class_exists(AbstractPaymentMethodType::class)) {
            add_action('woocommerce_blocks_payment_method_type_registration', function (PaymentMethodRegistry $registry): void {
                $registry->register(new BlocksMethod($this->file));
            });
        }
    }

    /** No mail about an order that is on hold for the minute that a charge takes: the mail about the paid order follows. */
    private static function sendsHoldMail(mixed $isEnabled, mixed $order): bool
    {
        return (bool) $isEnabled && Orders::find($order)?->isHeld() !== true;
    }
}
