<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Vendor\Tua\Exception\ApiException;
use TuaPayments\Vendor\Tua\Exception\TuaException;
use TuaPayments\Vendor\Tua\Exception\UsageException;
use TuaPayments\Vendor\Tua\Model\Status;

defined('ABSPATH') || exit;

/** The request of a refund that is stored. Each repetition has the same idempotency key, so the money returns once. */
final class RefundRequest
{
    /**
     * How long a request is repeated whose response was lost, in seconds. The service keeps its key for 7 days, and a request
     * with a key that it has deleted would be another refund.
     */
    private const REPEAT_SECONDS = 6 * DAY_IN_SECONDS;

    /** @param array<string, string> $refund One that is not known. */
    public static function repeat(Refundable $payment, int $number, array $refund): void
    {
        if ((int) ($refund['at'] ?? 0) > time() - self::REPEAT_SECONDS) {
            self::send($payment, $number, $refund);
            return;
        }
        // translators: %s: an amount in GHS.
        $text = __('Nobody knows whether the refund of GHS %s was made. Look at the charge in the dashboard of Tua, and return the money there if it was not.', 'tua-payments');
        $sentence = sprintf($text, $refund['amount']);
        $payment->flag($sentence);
        Refunds::save($payment, $number, ['status' => Refunds::LOST, 'message' => $sentence] + $refund);
    }

    /**
     * @param array<string, string> $refund
     *
     * @return string|null What is wrong, in a sentence; null where the service has the refund.
     */
    public static function send(Refundable $payment, int $number, array $refund): ?string
    {
        $request = array_filter([
            'transactionId' => (string) $payment->transactionId(),
            'amount' => $refund['amount'],
            'reason' => mb_substr($refund['reason'], 0, 160),
        ]);
        try {
            $sent = Service::client($payment->mode())->refunds->create($request, "{$payment->paidCheckoutId()}-refund-{$number}");
        } catch (TuaException $error) {
            Log::write("{$payment->reference()}: refund: {$error->getMessage()}");
            $status = self::isRefused($error) ? 'FAILED' : Refunds::UNKNOWN;
            $sentence = self::explain($error);
            Refunds::save($payment, $number, ['status' => $status, 'message' => $sentence] + $refund);
            return $sentence;
        }
        $begun = ['id' => $sent->refundId, 'status' => Status::Pending->value, 'message' => ''];
        Refunds::save($payment, $number, $begun + $refund);
        Refunds::record($payment, $sent);
        return null;
    }

    /** Only the service's own refusal proves that nothing was returned: an earlier request may have arrived. */
    private static function isRefused(TuaException $error): bool
    {
        return $error instanceof ApiException && (!$error->outcomeUnknown || self::isOfAnother($error));
    }

    /** The service has the key from another refund, as after a backup of the site was restored: it never makes this one. */
    private static function isOfAnother(TuaException $error): bool
    {
        return $error instanceof ApiException && $error->errorCode === 'idempotency_key_reused';
    }

    private static function explain(TuaException $error): string
    {
        $reason = Log::withoutSecrets($error->getMessage());
        $isUnauthorized = $error instanceof ApiException && in_array($error->status, [401, 403], true);
        return match (true) {
            self::isOfAnother($error) => __('This refund was not made: the service has another one with its number, which this site does not know. Look at the charge in the dashboard of Tua before you refund more.', 'tua-payments'),
            self::isRefused($error) => $reason,
            $isUnauthorized || $error instanceof UsageException => sprintf(
                // translators: %s: a sentence of the service.
                __('The service does not accept the request now: %s Mend that; the refund is sent again by itself. Do not refund it again.', 'tua-payments'),
                $reason,
            ),
            default => __('The service did not answer. It is asked again until it says what happened: do not refund it again.', 'tua-payments'),
        };
    }
}
