<?php

declare(strict_types=1);

namespace Tua\Exception;

/** One fault of a request: where it is (a JSON pointer), its code, and a sentence for people. */
final class Fault
{
    public function __construct(
        public readonly string $pointer,
        public readonly string $code,
        public readonly string $detail,
    ) {
    }
}
