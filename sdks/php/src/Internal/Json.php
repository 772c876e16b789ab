<?php

declare(strict_types=1);

namespace Tua\Internal;

use Tua\Exception\UsageException;

/** @internal */
final class Json
{
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;

    /** JSON of a request, without spaces. */
    public static function encode(mixed $value): string
    {
        if ($value instanceof Number) {
            return $value->digits;
        }
        try {
            $isObject = $value instanceof JsonObject;
            $value = $isObject ? $value->members : $value;
            if (!is_array($value)) {
                return json_encode($value, self::FLAGS);
            }
            if (!$isObject && array_is_list($value)) {
                return '[' . implode(',', array_map(self::encode(...), $value)) . ']';
            }
            $members = [];
            foreach ($value as $name => $member) {
                $members[] = json_encode((string) $name, self::FLAGS) . ':' . self::encode($member);
            }
            return '{' . implode(',', $members) . '}';
        } catch (\JsonException $error) {
            throw new UsageException("A value of the request has no form in JSON: {$error->getMessage()}.");
        }
    }

    /**
     * The members of a JSON object; null for anything else.
     *
     * @return array<mixed>|null
     */
    public static function decodeObject(string $text): ?array
    {
        $value = json_decode($text, true, 64, JSON_BIGINT_AS_STRING);
        return is_array($value) && str_starts_with(ltrim($text), '{') ? $value : null;
    }
}
