<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Settings\Settings;
use TuaPayments\Vendor\Tua\Amount;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Model\Refund;
use TuaPayments\Vendor\Tua\Model\Status;

defined('ABSPATH') || exit;

/**
 * Returns money of payments. A refund is stored before it is sent, under its number. Its idempotency key has the number, so
 * a request that is repeated, by a person or by WP-Cron, returns the money once.
 */
final class Refunds
{
    /** The refund was stored, and nobody knows yet whether the service has it. */
    public const UNKNOWN = 'UNKNOWN';
    /** It was not known for so long that it is not sent again. People look whether it was made. */
    public const LOST = 'LOST';

    /** @return list<array{amount: string, reason: string, status: string, id: string, message: string, at: string}> By number. */
    public static function of(Refundable $payment): array
    {
        $refunds = [];
        while (($stored = $payment->text('refund_' . count($refunds))) !== '') {
            $refunds[] = json_decode($stored, true, 4, JSON_THROW_ON_ERROR);
        }
        return $refunds;
    }

    /** Pesewas that are not returned and not being returned. */
    public static function left(Refundable $payment): int
    {
        return Amount::toPesewas($payment->amount()) - self::sum($payment, [self::UNKNOWN, self::LOST, 'PENDING', 'SUCCESSFUL']);
    }

    /**
     * Returns an amount. The number is that of the page that the person read: a second click sends the same refund.
     *
     * @return string|null What is wrong, in a sentence; null where the refund was sent.
     */
    public static function begin(Refundable $payment, int $number, string $amount, string $reason): ?string
    {
        $refunds = self::of($payment);
        if ($payment->transactionId() === null || !$payment->state()->isPaid()) {
            return __('Only a payment that has arrived can be refunded.', 'tua-payments');
        }
        if (!Settings::isReady($payment->mode())) {
            return __('Enter the address of the service and a secret key in the settings.', 'tua-payments');
        }
        if ($number !== count($refunds)) {
            return __('There is a newer refund of this payment. Read it before you refund more.', 'tua-payments');
        }
        if (Amount::toPesewas($amount) > self::left($payment)) {
            return __('More cannot be returned than is left of this payment.', 'tua-payments');
        }
        $stored = ['amount' => $amount, 'reason' => $reason, 'status' => self::UNKNOWN, 'id' => '', 'message' => '', 'at' => (string) time()];
        self::save($payment, $number, $stored);
        return RefundRequest::send($payment, $number, $stored);
    }

    /** Asks about refunds that are not final, and sends those again whose response was lost. */
    public static function check(Refundable $payment): void
    {
        foreach (self::of($payment) as $number => $refund) {
            if ($refund['status'] === self::UNKNOWN) {
                RefundRequest::repeat($payment, $number, $refund);
            } elseif ($refund['status'] === 'PENDING') {
                self::ask($payment, $refund['id']);
            }
        }
        self::schedule($payment);
    }

    /** Stores what the service reports about a refund. */
    public static function record(Refundable $payment, Refund $reported): void
    {
        $isStored = in_array($reported->refundId, array_column(self::of($payment), 'id'), true);
        if (!$isStored && $reported->status === Status::Successful) {
            self::recordOther($payment, $reported);
            return;
        }
        foreach (self::of($payment) as $number => $refund) {
            $isSame = $refund['id'] === $reported->refundId;
            // A final status stays; only a contradiction of the operator changes what is true then.
            if ($isSame && ($refund['status'] === 'PENDING' || $refund['status'] === self::UNKNOWN)) {
                $known = ['status' => $reported->status->value, 'message' => (string) $reported->failure?->message] + $refund;
                self::save($payment, $number, $known);
                if ($known['status'] !== 'PENDING') {
                    $payment->noteRefund($known);
                }
            }
            if ($isSame && $reported->conflict !== null) {
                $payment->flag(__('The operator contradicted the outcome of a refund. See it in the dashboard of Tua.', 'tua-payments'));
            }
        }
        self::finish($payment);
    }

    /** A refund that was not begun here, unless it is one whose response is still to come or was lost. */
    private static function recordOther(Refundable $payment, Refund $reported): void
    {
        if (in_array(self::UNKNOWN, array_column(self::of($payment), 'status'), true)) {
            throw new Busy('A refund of this payment is being sent, and its number is not known yet.');
        }
        $payment->flag(sprintf(
            /* translators: 1: an amount in GHS, 2: the id of a refund. */
            __('GHS %1$s were returned outside this site, such as in the dashboard of Tua (%2$s). It is not counted here.', 'tua-payments'),
            $reported->amount,
            $reported->refundId,
        ));
    }

    private static function ask(Refundable $payment, string $refundId): void
    {
        try {
            self::record($payment, Service::client($payment->mode())->refunds->get($refundId));
        } catch (TuaException $error) {
            Log::write("{$payment->reference()}: refund: {$error->getMessage()}");
        }
    }

    private static function finish(Refundable $payment): void
    {
        if (self::sum($payment, ['SUCCESSFUL']) === Amount::toPesewas($payment->amount())) {
            $payment->markRefunded();
        }
        self::schedule($payment);
    }

    /** Marks payments whose refunds are not final, for WP-Cron. */
    private static function schedule(Refundable $payment): void
    {
        $isOpen = self::sum($payment, [self::UNKNOWN, 'PENDING']) > 0;
        $payment->saveTexts(['refund_due' => $isOpen ? '1' : '0']);
    }

    /** @param array<string, string> $refund */
    public static function save(Refundable $payment, int $number, array $refund): void
    {
        $payment->saveTexts(["refund_{$number}" => (string) wp_json_encode($refund)]);
        self::schedule($payment);
    }

    /** @param list<string> $statuses */
    public static function sum(Refundable $payment, array $statuses): int
    {
        $refunds = array_filter(self::of($payment), static fn (array $refund): bool => in_array($refund['status'], $statuses, true));
        return array_sum(array_map(static fn (array $refund): int => Amount::toPesewas($refund['amount']), $refunds));
    }
}
