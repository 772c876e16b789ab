<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Model\Transaction;
use Tua\Pages;

/** `GET /status/{transactionId}` and `GET /transactions`. */
final class Transactions extends Resource
{
    /** The charge or payout as it is now. */
    public function get(string $transactionId): Transaction
    {
        return $this->transport->send(Operation::of('/status', Transaction::class, 'transactionId', $transactionId));
    }

    /** Waits until the outcome is known. After `$timeout` seconds it returns the transaction as it is: it may be pending. */
    public function wait(string $transactionId, float $timeout = self::WAIT_TIMEOUT): Transaction
    {
        $operation = Operation::of('/status', Transaction::class, 'transactionId', $transactionId);
        return $this->transport->wait($operation, $timeout);
    }

    /**
     * All charges and payouts with these values, newest first. Times are ISO 8601.
     *
     * @param array{status?: string, type?: string, network?: string, phoneNumber?: string, reference?: string,
     *     checkoutId?: string, batchId?: string, operatorTransactionId?: string, createdAfter?: string,
     *     createdBefore?: string} $filter
     *
     * @return Pages<Transaction>
     */
    public function list(array $filter = [], ?int $pageSize = null): Pages
    {
        return $this->pages('/transactions', Transaction::class, $filter + ['limit' => $pageSize]);
    }
}
