<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Number;
use Tua\Internal\Operation;
use Tua\Internal\Repetition;
use Tua\Model\Quote;

/** `POST /quote`. */
final class Quotes extends Resource
{
    /**
     * What a payment would cost if it began now. It begins nothing.
     *
     * @param array{type: 'CHARGE'|'PAYOUT', amount: string, network: string} $request
     */
    public function create(array $request): Quote
    {
        $body = ['amount' => Number::ofAmount($request['amount'] ?? null, 'amount')] + $request;
        return $this->transport->send(new Operation('POST', '/quote', Repetition::Reads, Quote::fromArray(...), $body));
    }
}
