<?php

declare(strict_types=1);

namespace Tua\Exception;

/** The package was used wrongly: nothing was sent. The message names what to change. */
final class UsageException extends TuaException
{
}
