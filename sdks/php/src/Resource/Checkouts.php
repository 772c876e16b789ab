<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Exception\RequestException;
use Tua\Internal\Backoff;
use Tua\Internal\Operation;
use Tua\Internal\Transport;
use Tua\Model\Checkout;
use Tua\Model\CheckoutStatus;
use Tua\Model\OpenedCheckout;
use Tua\Model\Status;
use Tua\Model\Transaction;
use Tua\Pages;

/** `/checkout`. */
final class Checkouts extends Resource
{
    private const POLL_INTERVAL = 2.0;

    /**
     * Opens a session that one payer can pay within 30 minutes. Send the payer to `url`, or give the page `checkoutToken`.
     *
     * @param array{amount: string, email: string, currency?: string, reference?: string, metadata?: array<string, mixed>,
     *     returnUrl?: string} $request
     */
    public function create(array $request, ?string $idempotencyKey = null, ?float $totalTimeout = null): OpenedCheckout
    {
        $operation = Operation::begin('/checkout', OpenedCheckout::class, $request);
        return $this->transport->send($operation, $idempotencyKey, $totalTimeout);
    }

    /** The session as it is now. */
    public function get(string $checkoutId, ?float $totalTimeout = null): Checkout
    {
        $operation = Operation::of('/checkout', Checkout::class, 'checkoutId', $checkoutId);
        return $this->transport->send($operation, null, $totalTimeout);
    }

    /**
     * All sessions with these values, newest first. Times are ISO 8601.
     *
     * @param array{status?: string, reference?: string, createdAfter?: string, createdBefore?: string} $filter
     *
     * @return Pages<Checkout>
     */
    public function list(array $filter = [], ?int $pageSize = null): Pages
    {
        return $this->pages('/checkouts', Checkout::class, $filter + ['limit' => $pageSize]);
    }

    /** Closes a session, so that nobody can pay it any more. */
    public function close(string $checkoutId): Checkout
    {
        return $this->transport->send(Operation::of('/checkout', Checkout::class, 'checkoutId', $checkoutId, 'close'));
    }

    /** Waits until the session is paid, expired or closed. After `$timeout` seconds it returns what it saw last: open or pending. */
    public function wait(string $checkoutId, float $timeout = self::WAIT_TIMEOUT): Checkout
    {
        $deadline = Backoff::now() + $timeout;
        $seen = null;
        while (true) {
            $left = max(0.0, $deadline - Backoff::now());
            try {
                $seen = $this->get($checkoutId, $left + $this->transport->config->timeout);
                if (!in_array($seen->status, [CheckoutStatus::Open, CheckoutStatus::Pending], true)) {
                    return $seen;
                }
                $left = $deadline - Backoff::now();
                if ($seen->transaction?->status === Status::Pending && $left > self::POLL_INTERVAL) {
                    $charge = Operation::of('/status', Transaction::class, 'transactionId', $seen->transaction->transactionId);
                    $this->transport->wait($charge, $left);
                    continue;
                }
            } catch (RequestException $error) {
                if ($seen === null || !Transport::isTransient($error)) {
                    throw $error;
                }
            }
            if (Backoff::now() + self::POLL_INTERVAL >= $deadline) {
                return $seen;
            }
            Backoff::sleep(self::POLL_INTERVAL);
        }
    }
}
