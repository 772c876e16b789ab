<?php

declare(strict_types=1);

namespace Tua\Exception;

/** A refusal as the service describes it (RFC 9457). */
final class Problem
{
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

    /** @param array<mixed> $values */
    private static function text(array $values, string $name): string
    {
        return is_string($values[$name] ?? null) ? $values[$name] : '';
    }
}
