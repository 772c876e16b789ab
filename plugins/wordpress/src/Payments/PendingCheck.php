<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Items\Item;
use TuaPayments\Items\LinkPayments;
use TuaPayments\Items\PaymentLinks;
use TuaPayments\Items\Presentation;
use TuaPayments\Log;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\WooCommerce\Orders;

defined('ABSPATH') || exit;

/** Asks about everything that is not final, each minute by WP-Cron: a webhook can be lost, and a payer can close the tab. */
final class PendingCheck
{
    public const HOOK = 'tua_payments_check';
    private const INTERVAL = 'tua_payments_minute';
    private const BATCH = 50;
    /** Seconds after which a run leaves the rest to the next one. */
    private const RUN_SECONDS = 40;
    /** The longest pause between two questions about one payment, in seconds. It is asked about until it is final. */
    private const LONGEST_PAUSE = HOUR_IN_SECONDS;

    /**
     * @param array<string, array{interval: int, display: string}> $schedules
     *
     * @return array<string, array{interval: int, display: string}>
     */
    public static function addInterval(array $schedules): array
    {
        $schedules[self::INTERVAL] = ['interval' => MINUTE_IN_SECONDS, 'display' => self::intervalName()];
        return $schedules;
    }

    /** WordPress loads translations from `init` on, and complains about code that wants one earlier, as other plug-ins make this. */
    private static function intervalName(): string
    {
        return did_action('init') > 0 ? __('Every minute', 'tua-payments') : 'Every minute';
    }

    public static function schedule(): void
    {
        if (wp_next_scheduled(self::HOOK) === false) {
            wp_schedule_event(time(), self::INTERVAL, self::HOOK);
        }
    }

    public static function run(): void
    {
        $deadline = time() + self::RUN_SECONDS;
        self::each(self::duePayments(), self::check(...), $deadline);
        self::each(self::dueRefunds(), self::checkRefunds(...), $deadline);
        self::each(Orders::due(self::BATCH), Orders::check(...), $deadline);
        self::each(Mode::cases(), self::checkLinks(...), $deadline);
    }

    /** Asks about one payment, and decides when it is asked about again: soon at first, then ever less often. */
    public static function check(Payment $payment): void
    {
        $age = max(0, time() - (int) $payment->text('created_at'));
        $pause = min(self::LONGEST_PAUSE, max(MINUTE_IN_SECONDS, intdiv($age, 4)));
        PaymentStore::update($payment->id, ['ask_at' => (string) (time() + $pause)]);
        if ($payment->checkoutId() === null && $age > HOUR_IN_SECONDS) {
            $payment->markUnpaid(); // Its checkout was never shown to the payer.
            return;
        }
        Inquiry::ask($payment);
    }

    /** Asks about the refunds of a payment. Throws Busy where another request is changing it. */
    public static function checkRefunds(Payment $payment): void
    {
        $payment->alone(static fn () => Refunds::check($payment));
    }

    private static function checkLinks(Mode $mode): void
    {
        if (!Settings::isReady($mode)) {
            return;
        }
        PaymentLinks::closeLeft($mode);
        LinkPayments::ask($mode);
        if ($mode !== Settings::mode()) {
            return;
        }
        foreach (Item::all() as $item) {
            if ($item->presentation() === Presentation::Link) {
                PaymentLinks::update($item);
            }
        }
    }

    /** @return list<Payment> */
    private static function duePayments(): array
    {
        $isDue = ['key' => PaymentStore::PREFIX . 'ask_at', 'value' => time(), 'compare' => '<=', 'type' => 'NUMERIC'];
        return PaymentStore::query([PurchaseState::Open, PurchaseState::Pending], [$isDue], self::BATCH);
    }

    /** @return list<Payment> */
    private static function dueRefunds(): array
    {
        $isDue = ['key' => PaymentStore::PREFIX . 'refund_due', 'value' => '1'];
        return PaymentStore::query([PurchaseState::Paid, PurchaseState::Refunded], [$isDue], self::BATCH);
    }

    /**
     * @template T
     *
     * @param list<T> $subjects
     * @param callable(T): void $check One that fails does not keep the others from being asked about.
     */
    private static function each(array $subjects, callable $check, int $deadline): void
    {
        foreach ($subjects as $subject) {
            if (time() >= $deadline) {
                return;
            }
            try {
                $check($subject);
            } catch (\Throwable $error) {
                Log::write($error->getMessage());
            }
        }
    }
}
