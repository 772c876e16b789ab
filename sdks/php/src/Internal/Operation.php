<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Exception\UsageException;
use Tua\Model\Model;
use Tua\Page;

/**
 * A request, and the model of its response.
 *
 * @internal
 *
 * @template T of object
 */
final class Operation
{
    /**
     * @param \Closure(array<mixed>): T $read Makes the result of a decoded response. Throws an UnexpectedValueException where
     *     it is not as documented.
     * @param array<mixed>|null $body
     * @param array<string, string|int> $query
     * @param array<string, string> $headers
     * @param array<string, string|int> $expected Members that the response must have with these values: else it is the response
     *     to another request. `amount` is compared as a number.
     * @param float|null $timeout Seconds for one attempt, where it is not that of the client.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly Repetition $repetition,
        public readonly \Closure $read,
        public readonly ?array $body = null,
        public readonly array $query = [],
        public readonly array $headers = [],
        public readonly array $expected = [],
        public readonly ?float $timeout = null,
    ) {
    }

    /**
     * A request that begins something. Members that are null are left out; `$money` names those that are amounts.
     *
     * @template B of Model
     *
     * @param class-string<B> $model
     * @param array<mixed> $request
     * @param list<string> $money
     *
     * @return self<B>
     */
    public static function begin(string $path, string $model, array $request, array $money = ['amount']): self
    {
        $body = array_filter($request, static fn (mixed $member): bool => $member !== null);
        $expected = array_filter(
            array_intersect_key($body, array_flip(['reference', 'transactionId', 'amount'])),
            is_string(...),
        );
        foreach (array_intersect($money, array_keys($body)) as $name) {
            $body[$name] = Number::ofAmount($body[$name], $name);
        }
        return new self('POST', $path, Repetition::Keyed, $model::fromArray(...), $body, expected: $expected);
    }

    /**
     * A request that reads a resource, or ends it and may be repeated.
     *
     * @template B of Model
     *
     * @param class-string<B> $model
     * @param string $name The member of the response that is the identifier.
     *
     * @return self<B>
     */
    public static function of(string $path, string $model, string $name, string $id, ?string $action = null): self
    {
        $full = "{$path}/" . self::segment($name, $id) . ($action === null ? '' : "/{$action}");
        $repetition = $action === null ? Repetition::Reads : Repetition::Repeatable;
        return new self($action === null ? 'GET' : 'POST', $full, $repetition, $model::fromArray(...), expected: [$name => $id]);
    }

    /** An identifier as a part of a path; `$name` is that of its member. */
    public static function segment(string $name, string $id): string
    {
        if (in_array($id, ['', '.', '..'], true)) {
            throw new UsageException("{$name} is empty or no identifier.");
        }
        return rawurlencode($id);
    }

    /**
     * A request that changes a resource.
     *
     * @template B of Model
     *
     * @param class-string<B> $model
     * @param string $name The member of the response that is the identifier.
     * @param array<mixed>|null $body
     *
     * @return self<B>
     */
    public static function change(
        string $path,
        string $model,
        string $name,
        string $id,
        string $action,
        Repetition $repetition,
        ?array $body = null,
    ): self {
        $operation = self::of($path, $model, $name, $id, $action);
        return new self('POST', $operation->path, $repetition, $operation->read, $body, expected: $operation->expected);
    }

    /**
     * The same request as a long poll.
     *
     * @return self<T>
     */
    public function poll(int $seconds, ?string $etag, float $timeout): self
    {
        $headers = array_filter([
            'prefer' => $seconds > 0 ? "wait={$seconds}" : null,
            'if-none-match' => $etag,
        ], static fn (?string $value): bool => $value !== null);
        return new self(
            $this->method,
            $this->path,
            $this->repetition,
            $this->read,
            headers: $headers,
            expected: $this->expected,
            timeout: $timeout,
        );
    }

    /**
     * A request for one page of a list.
     *
     * @template B of Model
     *
     * @param class-string<B> $model
     * @param array<string, string|int|null> $query
     *
     * @return self<Page<B>>
     */
    public static function list(string $path, string $model, array $query): self
    {
        return self::listOf($path, $model::fromArray(...), $query);
    }

    /**
     * A request for one page of a list.
     *
     * @template B of object
     *
     * @param \Closure(array<mixed>): B $readItem
     * @param array<string, string|int|null> $query
     * @param float|null $timeout Seconds for one attempt, where it is not that of the client.
     *
     * @return self<Page<B>>
     */
    public static function listOf(string $path, \Closure $readItem, array $query, ?float $timeout = null): self
    {
        $read = static fn (array $body): Page => new Page(
            Reader::items($body, 'data', $readItem),
            isset($body['nextCursor']) ? Reader::string($body, 'nextCursor') : null,
        );
        $given = array_filter($query, static fn (string|int|null $value): bool => $value !== null);
        return new self('GET', $path, Repetition::Reads, $read, query: $given, timeout: $timeout);
    }

    /**
     * Why a response is not the one to this request; null if it is.
     *
     * @param array<mixed> $body
     */
    public function findFault(array $body): ?string
    {
        foreach ($this->expected as $name => $value) {
            if (!array_key_exists($name, $body)) {
                continue;
            }
            $found = $body[$name];
            $isSame = $name === 'amount' ? (is_int($found) || is_float($found)) && (float) $found === (float) $value : $found === $value;
            if (!$isSame) {
                return "the response is that of another request: its {$name} differs";
            }
        }
        return null;
    }
}
