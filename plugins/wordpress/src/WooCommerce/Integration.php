<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;
use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use Automattic\WooCommerce\Utilities\FeaturesUtil;
use TuaPayments\Payments\Inquiry;

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
        add_filter('woocommerce_cancel_unpaid_order', self::mayCancel(...), 20, 2);
        add_action('woocommerce_order_status_cancelled', self::closeCheckout(...), 10, 2);
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

    /**
     * WooCommerce cancels unpaid orders by its own timer. Before it cancels one of ours, the checkout is closed: the service
     * decides whether the order can still be paid. An order that is paid, pending or not known is not cancelled.
     */
    private static function mayCancel(bool $mayCancel, \WC_Order $order): bool
    {
        $purchase = $mayCancel ? Orders::find($order) : null;
        return $purchase === null ? $mayCancel : Inquiry::close($purchase);
    }

    /** A person, or the customer, cancelled an order: nobody can pay it any more. A payment that is under way goes on. */
    private static function closeCheckout(int $orderId, \WC_Order $order): void
    {
        $purchase = Orders::find($order);
        if ($purchase !== null && !$purchase->state()->isPaid() && !Inquiry::close($purchase)) {
            $purchase->flag(__('The order was cancelled while a payment may be under way. If the payment arrives, the order is revived.', 'tua-payments'));
        }
    }
}
