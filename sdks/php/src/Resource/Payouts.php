<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Number;
use Tua\Internal\Operation;
use Tua\Model\PayoutBatch;
use Tua\Model\TransactionWithMessage;

/** `POST /payout`, and batches of payouts. */
final class Payouts extends Resource
{
    /**
     * Sends money to a wallet.
     *
     * @param array{amount: string, phoneNumber: string, network: string, currency?: string, reference?: string,
     *     payeeNote?: string, payerMessage?: string, email?: string, metadata?: array<string, mixed>} $request
     */
    public function create(array $request, ?string $idempotencyKey = null, ?float $totalTimeout = null): TransactionWithMessage
    {
        $operation = Operation::begin('/payout', TransactionWithMessage::class, $request);
        return $this->transport->send($operation, $idempotencyKey, $totalTimeout);
    }

    /** Ends a payout that was not handed over to its operator. */
    public function cancel(string $transactionId): TransactionWithMessage
    {
        $model = TransactionWithMessage::class;
        return $this->transport->send(Operation::of('/payouts', $model, 'transactionId', $transactionId, 'cancel'));
    }

    /**
     * Sends money to up to 1,000 wallets. With one fault, none of the payouts is begun.
     *
     * @param array{payouts: list<array<string, mixed>>, reference?: string} $request Each payout as for `create`.
     */
    public function createBatch(array $request, ?string $idempotencyKey = null): PayoutBatch
    {
        foreach ($request['payouts'] as $index => $payout) {
            $amount = Number::ofAmount($payout['amount'] ?? null, "payouts/{$index}/amount");
            $request['payouts'][$index] = ['amount' => $amount] + $payout;
        }
        return $this->transport->send(Operation::begin('/payouts/batches', PayoutBatch::class, $request), $idempotencyKey);
    }

    /** The batch as it is now. */
    public function getBatch(string $batchId): PayoutBatch
    {
        return $this->transport->send(Operation::of('/payouts/batches', PayoutBatch::class, 'batchId', $batchId));
    }

    /** Ends the payouts of a batch that were not handed over. */
    public function cancelBatch(string $batchId): PayoutBatch
    {
        return $this->transport->send(Operation::of('/payouts/batches', PayoutBatch::class, 'batchId', $batchId, 'cancel'));
    }
}
