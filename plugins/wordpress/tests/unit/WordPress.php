<?php

// What the plug-in uses of WordPress's posts, in memory.
declare(strict_types=1);

/** A post, and what plug-ins store in it. */
final class StoredPost
{
    /** @var array<string, mixed> */
    public array $meta = [];

    public function __construct(public readonly int $id, public readonly string $type, public string $status, public string $title = '', public string $name = '')
    {
        $GLOBALS['posts'][$id] = $this;
    }

    /** Whether it fulfils the clauses of a meta_query: equal texts, and values that exist. */
    public function fulfils(array $clauses): bool
    {
        foreach ($clauses as $clause) {
            $value = $this->meta[$clause['key']] ?? null;
            if ($value === null || (isset($clause['value']) && (string) $value !== (string) $clause['value'])) {
                return false;
            }
        }
        return true;
    }
}

/** The conditional changes of PaymentStore. */
final class StoredPosts
{
    public string $posts = 'posts';
    public string $postmeta = 'postmeta';

    public function prepare(string $query, mixed ...$values): array
    {
        return [$query, is_array($values[0]) ? $values[0] : $values];
    }

    /** @return list<int> Posts of these types. */
    public function get_col(array $prepared): array
    {
        return array_keys(array_filter($GLOBALS['posts'], static fn (StoredPost $post): bool => in_array($post->type, $prepared[1], true)));
    }

    public function query(array $prepared): int
    {
        $values = $prepared[1];
        if (str_contains($prepared[0], 'meta_value')) {
            $post = $GLOBALS['posts'][$values[1]];
            $isExpected = ($post->meta[$values[2]] ?? null) === $values[3];
            $post->meta[$values[2]] = $isExpected ? $values[0] : $post->meta[$values[2]];
            return (int) $isExpected;
        }
        $post = $GLOBALS['posts'][$values[3]];
        $isExpected = in_array($post->status, array_slice($values, 4), true);
        $post->status = $isExpected ? $values[0] : $post->status;
        return (int) $isExpected;
    }
}

$GLOBALS['wpdb'] = new StoredPosts();
$GLOBALS['posts'] = [];

/** @return list<int> */
function get_posts(array $query): array
{
    $isFound = static fn (StoredPost $post): bool => $post->type === $query['post_type']
        && in_array($post->status, (array) $query['post_status'], true)
        && (!isset($query['name']) || $post->name === $query['name'])
        && $post->fulfils($query['meta_query'] ?? []);
    return array_keys(array_filter($GLOBALS['posts'], $isFound));
}

function wp_insert_post(array $post): int
{
    $stored = new StoredPost(max([100, ...array_keys($GLOBALS['posts'])]) + 1, $post['post_type'], $post['post_status'], $post['post_title'], $post['post_name']);
    $stored->meta = $post['meta_input'];
    return $stored->id;
}

function get_post_meta(int $id, string $name, bool $isSingle = false): mixed
{
    return $GLOBALS['posts'][$id]->meta[$name] ?? '';
}

function update_post_meta(int $id, string $name, mixed $value): void
{
    $GLOBALS['posts'][$id]->meta[$name] = $value;
}

function get_post_status(int $id): string|false
{
    return $GLOBALS['posts'][$id]->status ?? false;
}

function get_the_title(int $id): string
{
    return $GLOBALS['posts'][$id]->title;
}

/** An order is a post of the type shop_order where its shop has no tables of WooCommerce. */
function get_post_type(int $id): string|false
{
    return isset($GLOBALS['orders'][$id]) ? 'shop_order' : $GLOBALS['posts'][$id]->type ?? false;
}

function wp_cache_delete(int $id, string $group): void
{
}

function wp_slash(mixed $value): mixed
{
    return $value;
}

function wp_unslash(mixed $value): mixed
{
    return $value;
}

function sanitize_text_field(string $text): string
{
    return trim($text);
}

function current_time(string $format, bool $isUtc = false): string
{
    return gmdate('Y-m-d H:i:s');
}

function home_url(): string
{
    return 'https://shop.example';
}

function get_transient(string $name): mixed
{
    return $GLOBALS['transients'][$name] ?? false;
}

function set_transient(string $name, mixed $value, int $seconds): void
{
    $GLOBALS['transients'][$name] = $value;
}
