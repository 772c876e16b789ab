<?php

declare(strict_types=1);

namespace Tua\Model;

/** A resource as the service shows it. Members that this version does not have are left out. */
abstract class Model
{
    /**
     * The resource of a decoded response. Throws an UnexpectedValueException where a member is not as documented.
     *
     * @param array<mixed> $data
     */
    abstract public static function fromArray(array $data): static;

    /**
     * What var_dump and print_r show. A checkout token pays its session, and a webhook secret signs events: both are hidden.
     *
     * @return array<string, mixed>
     */
    public function __debugInfo(): array
    {
        $hide = static fn (mixed $value): mixed => is_string($value)
            ? preg_replace('#(tua_checkout_|whsec_)[A-Za-z0-9_+/=-]+#', '$1…', $value)
            : $value;
        return array_map($hide, get_object_vars($this));
    }
}
