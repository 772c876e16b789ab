<?php

declare(strict_types=1);

namespace Tua\Internal;

/**
 * Reads the JSON of a page strictly: UTF-8, at most 32 levels, and no name twice in an object. Objects become JsonObjects, and
 * numbers stay as they were written.
 *
 * @internal
 */
final class StrictJson
{
    private const TOKEN = '/"(?:[^"\\\\]|\\\\.)*+"|[{}[\],:]|[^\s"{}[\],:]+/';
    private const MAX_DEPTH = 32;

    private int $next = 0;

    /** @param list<string> $tokens Those of a text that is JSON. */
    private function __construct(private readonly array $tokens)
    {
    }

    /** @throws \UnexpectedValueException whose message has nothing of the body. */
    public static function parse(string $body): mixed
    {
        $text = str_starts_with($body, "\xef\xbb\xbf") ? substr($body, 3) : $body;
        // PHP decodes arrays within 32 levels to the depth 33.
        json_decode($text, false, self::MAX_DEPTH + 1);
        if (json_last_error() === JSON_ERROR_DEPTH) {
            throw new \UnexpectedValueException('The body has more than 32 levels of nesting.');
        }
        if (json_last_error() === JSON_ERROR_UTF8) {
            throw new \UnexpectedValueException('The body is not UTF-8.');
        }
        // An object's name that begins with a NUL is JSON, but no property of PHP.
        if (!in_array(json_last_error(), [JSON_ERROR_NONE, JSON_ERROR_INVALID_PROPERTY_NAME], true)) {
            throw new \UnexpectedValueException('The body is not valid JSON.');
        }
        preg_match_all(self::TOKEN, $text, $tokens);
        return (new self($tokens[0]))->read();
    }

    private function read(): mixed
    {
        $token = $this->tokens[$this->next++];
        return match (true) {
            $token === '[' => $this->readItems(),
            $token === '{' => $this->readMembers(),
            $token[0] === '"' => json_decode($token),
            in_array($token, ['true', 'false', 'null'], true) => json_decode($token),
            default => Number::ofText($token),
        };
    }

    /** @return list<mixed> */
    private function readItems(): array
    {
        $items = [];
        while (!$this->ends(']')) {
            $items[] = $this->read();
        }
        return $items;
    }

    private function readMembers(): JsonObject
    {
        $members = [];
        while (!$this->ends('}')) {
            $name = json_decode($this->tokens[$this->next]);
            if (array_key_exists($name, $members)) {
                throw new \UnexpectedValueException('The body is not valid JSON: one object contains the same member twice.');
            }
            $this->next += 2;
            $members[$name] = $this->read();
        }
        return new JsonObject($members);
    }

    /** Whether the array or object ends here; passes over a comma. */
    private function ends(string $bracket): bool
    {
        if ($this->tokens[$this->next] === ',') {
            $this->next++;
        }
        if ($this->tokens[$this->next] !== $bracket) {
            return false;
        }
        $this->next++;
        return true;
    }
}
