<?php

declare(strict_types=1);

namespace Tua\Internal;

/**
 * A secret that var_dump, var_export, print_r and serialize do not show: it is not a property of the object.
 *
 * @internal
 */
final class Secret
{
    /** @var \WeakMap<self, string>|null */
    private static ?\WeakMap $values = null;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        self::$values ??= new \WeakMap();
        self::$values[$this] = $value;
    }

    public function reveal(): string
    {
        return self::$values[$this] ?? '';
    }
}
