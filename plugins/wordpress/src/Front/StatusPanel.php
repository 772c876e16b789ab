<?php

declare(strict_types=1);

namespace TuaPayments\Front;

use TuaPayments\Items\Item;
use TuaPayments\Items\Presentation;
use TuaPayments\Payments\Inquiry;
use TuaPayments\Payments\Opening;
use TuaPayments\Payments\Outcome;
use TuaPayments\Payments\Payment;
use TuaPayments\Payments\PaymentKey;
use TuaPayments\Payments\PurchaseState;
use TuaPayments\Plugin;
use TuaPayments\Settings\Settings;
use TuaPayments\Vendor\Tua\Model\OpenedCheckout;

defined('ABSPATH') || exit;

/** How a payment stands, for the payer who comes back with the address of the payment. */
final class StatusPanel
{
    /** Seconds until a page whose outcome is not known asks again. */
    private const REFRESH = 10;

    private static ?self $current = null;
    private bool $isShown = false;

    private function __construct(
        public readonly Payment $payment,
        private readonly Outcome $outcome,
        private readonly ?OpenedCheckout $embedded,
    ) {
    }

    /** The panel of the address that is shown; null where it names no payment. */
    public static function current(): ?self
    {
        return self::$current;
    }

    /** Asks about the payment before the page begins, because its headers depend on the answer. */
    public static function prepare(): void
    {
        $key = sanitize_text_field(wp_unslash($_GET[PaymentKey::PARAMETER] ?? ''));
        $payment = $key === '' ? null : PaymentKey::find($key);
        if ($payment === null) {
            return;
        }
        defined('DONOTCACHEPAGE') || define('DONOTCACHEPAGE', true);
        nocache_headers();
        header('Referrer-Policy: no-referrer');
        self::$current = self::of($payment);
        if (self::$current->isWaiting()) {
            header('Refresh: ' . self::REFRESH);
        }
        if (self::$current->embedded !== null) {
            wp_enqueue_script('tua-payments-checkout');
            wp_enqueue_script('tua-payments');
        }
    }

    private static function of(Payment $payment): self
    {
        $isEmbedded = Item::published($payment->itemId())?->presentation() === Presentation::Embedded;
        if (!$isEmbedded) {
            return new self($payment, Inquiry::ask($payment), null);
        }
        $opening = Opening::current($payment);
        return new self($payment, $opening->outcome, $opening->checkout);
    }

    private function isWaiting(): bool
    {
        $isPending = $this->outcome->state === PurchaseState::Pending && $this->embedded === null;
        return !$this->outcome->isKnown || $isPending;
    }

    public function show(): string
    {
        $this->isShown = true;
        ob_start();
        $payment = $this->payment;
        $embedded = $this->embedded;
        $text = $this->text();
        $failure = $this->outcome->failure();
        $button = $this->button();
        $isPaid = $this->outcome->state->isPaid();
        require dirname(__DIR__, 2) . '/templates/status.php';
        return (string) ob_get_clean();
    }

    /** Shows the panel at the end of a page that has no place for it, such as after the block was removed. */
    public static function showInFooter(): void
    {
        if (self::$current !== null && !self::$current->isShown) {
            wp_enqueue_style('tua-payments');
            echo self::$current->show(); // phpcs:ignore WordPress.Security.EscapeOutput -- the template escapes.
        }
    }

    /** Nobody knows yet whether a pending payment arrives, so its text says neither "failed" nor "try again". */
    private function text(): string
    {
        return match (true) {
            !$this->outcome->isKnown => __('We cannot reach the payment service, so we do not know yet whether your payment has arrived. If you have paid, please do not pay again. This page asks again.', 'tua-payments'),
            $this->outcome->state === PurchaseState::Paid => __('Thank you. Your payment has arrived.', 'tua-payments'),
            $this->outcome->state === PurchaseState::Refunded => __('This payment was returned to you.', 'tua-payments'),
            $this->outcome->state === PurchaseState::Pending => __('Your payment is not confirmed yet. Please do not pay again. This page shows when it is.', 'tua-payments'),
            $this->outcome->state === PurchaseState::Unpaid => __('It was not paid in time. No money moved.', 'tua-payments'),
            $this->payment->checkoutId() === null => __('The payment could not begin. No money moved.', 'tua-payments'),
            default => __('It is not paid yet.', 'tua-payments'),
        };
    }

    /** The label of the button with which the payer goes on; null where there must be none. */
    private function button(): ?string
    {
        if ($this->needsCode()) {
            return __('Enter the code', 'tua-payments');
        }
        if ($this->isWaiting() || $this->outcome->state->isPaid() || $this->embedded !== null || Item::published($this->payment->itemId()) === null) {
            return null;
        }
        return $this->payment->checkoutId() === null ? __('Try again', 'tua-payments') : __('Pay', 'tua-payments');
    }

    /** Whether the payer left the payment page before entering a code, without which the payment cannot go on. */
    private function needsCode(): bool
    {
        $nextAction = $this->outcome->checkout?->transaction?->nextAction;
        return $this->embedded === null && in_array($nextAction, ['ENTER_OTP', 'ENTER_VOUCHER'], true);
    }

    /** The service's script is a module, which WordPress says of no script before 6.5. */
    public static function asModule(string $tag, string $handle): string
    {
        if ($handle !== 'tua-payments-checkout') {
            return $tag;
        }
        $untyped = (string) preg_replace("/ type=['\"]text\/javascript['\"]/", '', $tag);
        return str_replace('<script ', '<script type="module" ', $untyped);
    }

    public static function registerAssets(string $file): void
    {
        wp_register_style('tua-payments', plugins_url('assets/style.css', $file), [], Plugin::VERSION);
        wp_register_script('tua-payments', plugins_url('assets/status.js', $file), [], Plugin::VERSION, true);
        // phpcs:ignore WordPress.WP.EnqueuedResourceParameters -- the service says how long its script may be kept.
        wp_register_script('tua-payments-checkout', Settings::serviceUrl() . '/sdk/tua-checkout.js', [], null, true);
    }
}
