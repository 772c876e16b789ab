<?php

// A network of sites: each has options, scheduled hooks and posts of its own in $GLOBALS['network'], by its number.
declare(strict_types=1);

function is_multisite(): bool
{
    return isset($GLOBALS['network']);
}

/** @return list<int> */
function get_sites(array $query): array
{
    return array_keys($GLOBALS['network']);
}

function switch_to_blog(int $id): void
{
    foreach (['options', 'crons', 'posts'] as $name) {
        $GLOBALS[$name] = &$GLOBALS['network'][$id][$name];
    }
}

function restore_current_blog(): void
{
    switch_to_blog(1);
}

function wp_clear_scheduled_hook(string $hook): void
{
    $GLOBALS['crons'] = array_diff($GLOBALS['crons'], [$hook]);
}

function delete_option(string $name): void
{
    unset($GLOBALS['options'][$name]);
}

function wp_delete_post(int $id, bool $isForced): void
{
    unset($GLOBALS['posts'][$id]);
}
