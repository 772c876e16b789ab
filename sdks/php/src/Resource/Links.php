<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Model\Link;
use Tua\Pages;

/** `/links`. */
final class Links extends Resource
{
    /**
     * Creates a page with a short address, on which anybody who has it can pay.
     *
     * @param array{title: string, amount?: string, minAmount?: string, maxAmount?: string, description?: string,
     *     uses?: 'many'|'single', expiresAt?: string, reference?: string, metadata?: array<string, mixed>,
     *     question?: string} $request
     */
    public function create(array $request, ?string $idempotencyKey = null): Link
    {
        $operation = Operation::begin('/links', Link::class, $request, ['amount', 'minAmount', 'maxAmount']);
        return $this->transport->send($operation, $idempotencyKey);
    }

    /** The link as it is now. */
    public function get(string $linkId): Link
    {
        return $this->transport->send(Operation::of('/links', Link::class, 'linkId', $linkId));
    }

    /** Closes a link, so that nobody can pay with it. */
    public function close(string $linkId): Link
    {
        return $this->transport->send(Operation::of('/links', Link::class, 'linkId', $linkId, 'close'));
    }

    /** Opens a closed link again. */
    public function reopen(string $linkId): Link
    {
        return $this->transport->send(Operation::of('/links', Link::class, 'linkId', $linkId, 'reopen'));
    }

    /**
     * All links, newest first.
     *
     * @return Pages<Link>
     */
    public function list(?int $pageSize = null): Pages
    {
        return $this->pages('/links', Link::class, ['limit' => $pageSize]);
    }
}
