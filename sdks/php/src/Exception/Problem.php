<?php

declare(strict_types=1);

namespace Tua\Exception;

/** A refusal as the service describes it (RFC 9457). */
final class Problem
{
    private const SHOWN_FAULTS = 5;
    private const LONGEST_TEXT = 200;

    /** @param list<Fault> $errors */
    public function __construct(
        public readonly int $status,
        public readonly string $code,
        public readonly string $title,
        public readonly string $detail,
        public readonly ?string $requestId,
        public readonly array $errors,
    ) {
    }

    /**
     * The refusal of a response; null where its body is none.
     *
     * @param array<mixed> $body
     */
    public static function read(array $body, int $status): ?self
    {
        if (!is_string($body['code'] ?? null)) {
            return null;
        }
        $errors = [];
        foreach (is_array($body['errors'] ?? null) ? $body['errors'] : [] as $fault) {
            if (is_array($fault)) {
                $errors[] = new Fault(self::text($fault, 'pointer'), self::text($fault, 'code'), self::text($fault, 'detail'));
            }
        }
        $requestId = self::text($body, 'requestId');
        return new self(
            $status,
            $body['code'],
            self::text($body, 'title'),
            self::text($body, 'detail'),
            $requestId === '' ? null : $requestId,
            $errors,
        );
    }

    /** The detail and the first faults, each with the member that it is about. */
    public function describe(): string
    {
        $shown = [];
        foreach (array_slice($this->errors, 0, self::SHOWN_FAULTS) as $fault) {
            $shown[] = self::cut($fault->pointer) . ': ' . self::cut($fault->detail);
        }
        $left = count($this->errors) - self::SHOWN_FAULTS;
        if ($left > 0) {
            $shown[] = "And {$left} more.";
        }
        // The detail of a request with one fault is that of the fault.
        $isRepeated = count($this->errors) === 1 && $this->errors[0]->detail === $this->detail;
        return implode(' ', $isRepeated ? $shown : [$this->detail, ...$shown]);
    }

    /** The first characters of a text. Not its bytes: half a character cannot be written as JSON. */
    private static function cut(string $text): string
    {
        return preg_match('/\A.{0,' . self::LONGEST_TEXT . '}/su', $text, $start) === 1 ? $start[0] : '';
    }

    /** @param array<mixed> $values */
    private static function text(array $values, string $name): string
    {
        return is_string($values[$name] ?? null) ? $values[$name] : '';
    }
}
