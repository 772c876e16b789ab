<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Internal\Transport;
use Tua\Model\Model;
use Tua\Page;
use Tua\Pages;

/** The routes of one kind of thing. */
abstract class Resource
{
    /** Seconds to wait for an outcome. */
    protected const WAIT_TIMEOUT = 120.0;

    /** @internal */
    public function __construct(protected readonly Transport $transport)
    {
    }

    /**
     * @template T of Model
     *
     * @param class-string<T> $model
     * @param array<string, string|int|null> $query
     *
     * @return Pages<T>
     */
    protected function pages(string $path, string $model, array $query): Pages
    {
        return new Pages(fn (?string $cursor): Page => $this->transport->send(
            Operation::list($path, $model, $query + ['cursor' => $cursor]),
        ));
    }
}
