<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Model\Refund;
use Tua\Pages;

/** `/refunds`. */
final class Refunds extends Resource
{
    /**
     * Returns all or a part of a charge. Without `amount`, it returns all that is left.
     *
     * @param array{transactionId: string, amount?: string, reason?: string, method?: 'PAYOUT'} $request
     */
    public function create(array $request, ?string $idempotencyKey = null): Refund
    {
        return $this->transport->send(Operation::begin('/refunds', Refund::class, $request), $idempotencyKey);
    }

    /** The refund as it is now. */
    public function get(string $refundId): Refund
    {
        return $this->transport->send(Operation::of('/refunds', Refund::class, 'refundId', $refundId));
    }

    /** Waits until the outcome is known. After `$timeout` seconds it returns the refund as it is: it may be pending. */
    public function wait(string $refundId, float $timeout = self::WAIT_TIMEOUT): Refund
    {
        return $this->transport->wait(Operation::of('/refunds', Refund::class, 'refundId', $refundId), $timeout);
    }

    /** Ends a refund that was not handed over to its operator. */
    public function cancel(string $refundId): Refund
    {
        return $this->transport->send(Operation::of('/refunds', Refund::class, 'refundId', $refundId, 'cancel'));
    }

    /**
     * All refunds, or those of one charge, newest first.
     *
     * @param array{transactionId?: string} $filter
     *
     * @return Pages<Refund>
     */
    public function list(array $filter = [], ?int $pageSize = null): Pages
    {
        return $this->pages('/refunds', Refund::class, $filter + ['limit' => $pageSize]);
    }
}
