<?php

declare(strict_types=1);

namespace Tua\Exception;

/** No response arrived: the connection failed, broke, or the time was over. */
final class ConnectionException extends RequestException
{
}
