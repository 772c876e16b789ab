<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Exception\Fault;
use Tua\Internal\JsonObject;

/**
 * The members of an object of a cart, each of which is read once. One that is null is as good as absent.
 *
 * @internal
 */
final class CartMembers
{
    /** @var list<string> */
    private array $known = [];

    /** @param list<Fault> $faults */
    public function __construct(private readonly JsonObject $object, private readonly string $pointer, private array &$faults)
    {
    }

    /**
     * @template T
     *
     * @param callable(mixed): T $parse Throws a CartRefusal.
     *
     * @return T|null
     */
    public function read(string $name, callable $parse): mixed
    {
        if (isset($this->object->members[$name])) {
            return $this->readOptional($name, $parse);
        }
        $this->known[] = $name;
        $this->refuse($name, new CartRefusal('field_required', "{$name} is required."));
        return null;
    }

    /**
     * @template T
     *
     * @param callable(mixed): T $parse Throws a CartRefusal.
     *
     * @return T|null
     */
    public function readOptional(string $name, callable $parse): mixed
    {
        $this->known[] = $name;
        $value = $this->object->members[$name] ?? null;
        try {
            return $value === null ? null : $parse($value);
        } catch (CartRefusal $refusal) {
            $this->refuse($name, $refusal);
            return null;
        }
    }

    public function forbid(string $name, string $detail): void
    {
        $this->known[] = $name;
        if (isset($this->object->members[$name])) {
            $this->refuse($name, new CartRefusal('field_not_allowed', $detail));
        }
    }

    public function refuseOthers(): void
    {
        foreach (array_keys($this->object->members) as $name) {
            if (!in_array((string) $name, $this->known, true)) {
                $this->refuse((string) $name, new CartRefusal('unknown_field', 'This field does not exist.'));
            }
        }
    }

    private function refuse(string $name, CartRefusal $refusal): void
    {
        $pointer = "{$this->pointer}/" . strtr($name, ['~' => '~0', '/' => '~1']);
        $this->faults[] = new Fault($pointer, $refusal->errorCode, $refusal->getMessage());
    }
}
