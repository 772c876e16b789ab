<?php

// What the plug-in uses of WordPress's posts, in memory.
declare(strict_types=1);

/** A post, and what plug-ins store in it. */
final class StoredPost
{
    /** @var array<string, mixed> */
    public array $meta = [];
    /** @var array<string, list<mixed>> What was added under a name that may have several values. */
    public array $lists = [];

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

/** As WordPress: what this request has read stays in a cache, whatever another request stores. See asAnotherRequest(). */
function get_post_meta(int $id, string $name, bool $isSingle = false): mixed
{
    $GLOBALS['post_meta'][$id] ??= $GLOBALS['posts'][$id]->meta;
    return $isSingle ? $GLOBALS['post_meta'][$id][$name] ?? '' : $GLOBALS['posts'][$id]->lists[$name] ?? [];
}

function update_post_meta(int $id, string $name, mixed $value): void
{
    $GLOBALS['posts'][$id]->meta[$name] = $value;
    wp_cache_delete($id, 'post_meta');
}

function add_post_meta(int $id, string $name, mixed $value): void
{
    $GLOBALS['posts'][$id]->lists[$name][] = $value;
}

/** Does something as another request, which has nothing in its cache, and does not change that of this one. */
function asAnotherRequest(callable $work): void
{
    $cached = $GLOBALS['post_meta'] ?? [];
    $GLOBALS['post_meta'] = [];
    try {
        $work();
    } finally {
        $GLOBALS['post_meta'] = $cached;
    }
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
    unset($GLOBALS['post_meta'][$id]);
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

function add_query_arg(string $name, string $value, string $url): string
{
    return $url . (str_contains($url, '?') ? '&' : '?') . "{$name}={$value}";
}

function nocache_headers(): void
{
}

/** A redirection ends the request of a payer. The test goes on with the address that it names. */
function wp_safe_redirect(string $url, int $status, string $by): void
{
    throw new Redirection($url);
}

final class Redirection extends Exception
{
}

function get_transient(string $name): mixed
{
    return $GLOBALS['transients'][$name] ?? false;
}

function set_transient(string $name, mixed $value, int $seconds): void
{
    $GLOBALS['transients'][$name] = $value;
}
