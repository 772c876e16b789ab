<?php

declare(strict_types=1);

namespace Tua\Internal;

/**
 * What the repetition of a request does.
 *
 * @internal
 */
enum Repetition
{
    /** Nothing: the request only reads. */
    case Reads;
    /** The same again. */
    case Repeatable;
    /** The same, thanks to its Idempotency-Key. */
    case Keyed;
    /** More than the first one did: it is repeated only where it was certainly not executed. */
    case Once;
}
