<?php

declare(strict_types=1);

namespace Tua\Exception;

/** The class of every exception of this package. */
class TuaException extends \RuntimeException
{
}
