<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Model\TransactionWithMessage;

/** `POST /charge` and `POST /submit-otp`. */
final class Charges extends Resource
{
    /**
     * Collects money from a wallet. The response is usually pending: the payer approves on the phone.
     *
     * @param array{amount: string, phoneNumber: string, network: string, currency?: string, payerPays?: string,
     *     reference?: string, payerMessage?: string, payeeNote?: string, email?: string,
     *     metadata?: array<string, mixed>} $request
     */
    public function create(array $request, ?string $idempotencyKey = null, ?float $totalTimeout = null): TransactionWithMessage
    {
        $operation = Operation::begin('/charge', TransactionWithMessage::class, $request, ['amount', 'payerPays']);
        return $this->transport->send($operation, $idempotencyKey, $totalTimeout);
    }

    /**
     * Submits the passcode or voucher that the payer was sent. A wrong one is no error: `codeAttemptsLeft` is one less.
     *
     * @param array{transactionId: string, otp: string} $request
     */
    public function submitCode(array $request, ?string $idempotencyKey = null): TransactionWithMessage
    {
        return $this->transport->send(Operation::begin('/submit-otp', TransactionWithMessage::class, $request), $idempotencyKey);
    }
}
