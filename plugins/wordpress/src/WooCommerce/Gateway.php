<?php

declare(strict_types=1);

namespace TuaPayments\WooCommerce;

use TuaPayments\Payments\Busy;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Settings\Settings;
use TuaPayments\Settings\SettingsPage;

defined('ABSPATH') || exit;

/** The payment method of WooCommerce: sends the customer to the service's payment page. */
final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'tua';

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Tua';
        $this->method_description = __('Mobile money in Ghana: MTN, Telecel and AirtelTigo. Keys and mode are under Tua › Settings.', 'tua-payments');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => [
                'title' => __('Enable/Disable', 'tua-payments'),
                'type' => 'checkbox',
                'label' => __('Take mobile money with Tua', 'tua-payments'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'tua-payments'),
                'type' => 'text',
                'description' => __('The name of the payment method that customers read.', 'tua-payments'),
                'default' => __('Mobile money', 'tua-payments'),
            ],
            'description' => [
                'title' => __('Description', 'tua-payments'),
                'type' => 'textarea',
                'description' => __('What customers read below the name when they choose the method.', 'tua-payments'),
                'default' => __('Pay with MTN MoMo, Telecel Cash or AirtelTigo Money.', 'tua-payments'),
            ],
        ];
    }

    /** Not offered without a key, nor in another currency than GHS. */
    public function is_available(): bool
    {
        return parent::is_available() && self::unavailableReason() === null;
    }

    /** Why the method is not offered, in a sentence; null where it is. */
    public static function unavailableReason(): ?string
    {
        if (get_woocommerce_currency() !== 'GHS') {
            // translators: %s: a currency.
            return sprintf(__('Tua takes Ghana cedis (GHS) only, and this shop sells in %s. It is not offered to customers.', 'tua-payments'), get_woocommerce_currency());
        }
        if (!Settings::isReady(Settings::mode())) {
            return __('Tua has no address of a service or no secret key. It is not offered to customers.', 'tua-payments');
        }
        return null;
    }

    public function admin_options(): void
    {
        $reason = self::unavailableReason();
        if ($reason !== null) {
            echo '<div class="inline error"><p>' . esc_html($reason) . '</p></div>';
        }
        parent::admin_options();
        $url = admin_url('admin.php?page=' . SettingsPage::SLUG);
        echo '<p><a href="' . esc_url($url) . '">' . esc_html__('Settings of Tua', 'tua-payments') . '</a></p>';
    }

    /**
     * @param int $order_id
     *
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        try {
            return $this->beginPayment(wc_get_order($order_id));
        } catch (Busy) {
            return self::refuse(__('Your order is being changed at this moment. Please try again in a minute.', 'tua-payments'));
        }
    }

    /** @return array{result: string, redirect?: string} */
    private function beginPayment(\WC_Order $order): array
    {
        if ($order->get_currency() !== 'GHS') {
            return self::refuse(__('Mobile money with Tua takes Ghana cedis (GHS) only.', 'tua-payments'));
        }
        $fault = EarlierOrder::fault($order);
        if ($fault !== null) {
            return self::refuse($fault);
        }
        $purchase = OrderPreparation::prepare($order, $this->get_return_url($order));
        if ($purchase->amount() !== Orders::total($order) && !self::changeAmount($purchase)) {
            return self::refuse(__('A payment of this order is not confirmed yet. Please do not pay again.', 'tua-payments'));
        }
        $opening = Opening::of($purchase);
        if ($opening->checkout !== null) {
            EarlierOrder::remember($order);
            return ['result' => 'success', 'redirect' => $opening->checkout->url];
        }
        if ($opening->outcome->state->isPaid()) {
            return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
        }
        return self::refuse(self::text($opening->outcome->isKnown, $purchase));
    }

    /** @return array{result: string} */
    private static function refuse(string $sentence): array
    {
        wc_add_notice($sentence, 'error');
        return ['result' => 'failure'];
    }

    /**
     * @param int $order_id
     * @param float|string|null $amount
     * @param string $reason
     */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        $purchase = Orders::find(wc_get_order($order_id));
        if ($purchase === null || $amount === null || (float) $amount <= 0) {
            return new \WP_Error('tua_refund', __('Enter the amount to return. Only a payment that has arrived can be refunded.', 'tua-payments'));
        }
        return OrderRefunds::refund($purchase, number_format((float) $amount, 2, '.', ''), (string) $reason);
    }

    /** The order was changed after its checkout was opened: the old checkout is closed first, so that nobody pays both. */
    private static function changeAmount(OrderPurchase $purchase): bool
    {
        $attempt = $purchase->attempt();
        $checkoutId = $purchase->checkoutId();
        if (!Inquiry::close($purchase)) {
            return false;
        }
        $purchase->beginNextAttempt($attempt, $checkoutId);
        return $purchase->amount() === Orders::total($purchase->order());
    }

    /** Asks again when the customer comes back, who may be here before the webhook. */
    public static function showOutcome(int $orderId): void
    {
        $purchase = Orders::find(wc_get_order($orderId));
        if ($purchase === null) {
            return;
        }
        $outcome = Inquiry::ask($purchase);
        if ($purchase->state()->isPaid()) {
            EarlierOrder::forget();
        }
        echo '<p role="status"><strong>' . esc_html(self::text($outcome->isKnown, $purchase)) . '</strong></p>';
        if ($outcome->isKnown && in_array($outcome->state, [PurchaseState::Open, PurchaseState::Unpaid], true)) {
            $url = $purchase->order()->get_checkout_payment_url();
            echo '<p><a class="button" href="' . esc_url($url) . '">' . esc_html__('Pay', 'tua-payments') . '</a></p>';
        }
    }

    private static function text(bool $isKnown, OrderPurchase $purchase): string
    {
        return match (true) {
            !$isKnown => __('We cannot reach the payment service, so we do not know yet whether your payment has arrived. If you have paid, please do not pay again.', 'tua-payments'),
            $purchase->state()->isPaid() => __('Thank you. Your payment has arrived.', 'tua-payments'),
            $purchase->state() === PurchaseState::Pending => __('Your payment is not confirmed yet. Please do not pay again.', 'tua-payments'),
            $purchase->state() === PurchaseState::Unpaid => __('It was not paid in time. No money moved.', 'tua-payments'),
            $purchase->checkoutId() === null => __('The payment could not begin. No money moved.', 'tua-payments'),
            default => __('It is not paid yet.', 'tua-payments'),
        };
    }
}
