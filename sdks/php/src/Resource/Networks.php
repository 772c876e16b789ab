<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Model\NetworkServices;

/** `GET /networks`. */
final class Networks extends Resource
{
    /**
     * How each network is served now.
     *
     * @return list<NetworkServices>
     */
    public function get(): array
    {
        return $this->transport->send(Operation::list('/networks', NetworkServices::class, []))->data;
    }
}
