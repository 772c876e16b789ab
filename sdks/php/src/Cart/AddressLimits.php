<?php

declare(strict_types=1);

namespace Tua\Cart;

/**
 * What one address may do. PHP keeps nothing between requests, so the token buckets are in a file.
 *
 * @internal
 */
final class AddressLimits
{
    private const CARTS_PER_MINUTE = 60;
    private const SESSION_LIFETIME = 1_800;

    private bool $isUnusable = false;

    /**
     * @param string|null $file One in a folder of the user of this process where it is null.
     * @param \Closure(\Throwable): mixed $log Gets a fault once. Nothing is limited then, because carts are worth more.
     */
    public function __construct(
        private readonly ?string $file,
        private readonly int $maxOpenSessions,
        private readonly \Closure $log,
    ) {
    }

    /** Counts a cart: 0, or the seconds until the address may send one. */
    public function countCart(string $address): int
    {
        return $this->count('carts ' . self::network($address), self::CARTS_PER_MINUTE, 60);
    }

    /** Counts a checkout that is about to be opened. Half of them at once: the other half comes back while they are open. */
    public function countSession(string $address): int
    {
        return $this->count('sessions ' . self::network($address), max(1, intdiv($this->maxOpenSessions, 2)), self::SESSION_LIFETIME);
    }

    /** Takes a token of a bucket that holds `$burst`, and gets all of them back within `$period` seconds. */
    private function count(string $key, int $burst, int $period): int
    {
        $now = microtime(true);
        $file = $this->open();
        if ($file === null) {
            return 0;
        }
        flock($file, LOCK_EX);
        $buckets = json_decode((string) stream_get_contents($file), true);
        // Each bucket that is not full has the time at which it will be. The clock of the machine may have been set back.
        $isLeft = static fn (mixed $full): bool =>
            (is_float($full) || is_int($full)) && $full > $now && $full <= $now + self::SESSION_LIFETIME + 1;
        $left = array_filter(is_array($buckets) ? $buckets : [], $isLeft);
        $full = max($left[$key] ?? 0, $now) + $period / $burst;
        $wait = $full - $now - $period;
        if ($wait < 0.001) {
            $left[$key] = $full;
        }
        ftruncate($file, 0);
        rewind($file);
        // The disk may be full.
        @fwrite($file, json_encode((object) $left, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
        fclose($file);
        return $wait < 0.001 ? 0 : (int) ceil($wait);
    }

    /** @return resource|null Nothing where the file cannot be used: the log has the reason. */
    private function open()
    {
        if ($this->isUnusable) {
            return null;
        }
        $path = $this->file ?? self::folder() . '/' . md5(__DIR__) . '.json';
        // Not through a link that somebody else has placed there.
        $isOwn = $this->file !== null || self::isOwnFolder(dirname($path));
        $file = $isOwn ? @fopen($path, 'c+') : false;
        if ($file === false) {
            $this->isUnusable = true;
            ($this->log)(new \RuntimeException("addresses are not limited: {$path} cannot be used; set limitsFile"));
            return null;
        }
        // Addresses are personal data, and others may use the same folder.
        @chmod($path, 0600);
        return $file;
    }

    private static function folder(): string
    {
        return sys_get_temp_dir() . '/tua-carts-' . self::user();
    }

    /** Makes the folder. In a shared folder anybody may have made it before. */
    private static function isOwnFolder(string $folder): bool
    {
        @mkdir($folder, 0700);
        return !is_link($folder) && is_dir($folder) && @fileowner($folder) === self::user();
    }

    /** The user of this process, also without the extension posix. */
    private static function user(): int
    {
        if (function_exists('posix_geteuid')) {
            return posix_geteuid();
        }
        $file = @tmpfile();
        return $file === false ? -1 : (fstat($file) ?: ['uid' => -1])['uid'];
    }

    /** IPv6: the /64, which is what one household or server is assigned (RFC 6177). */
    private static function network(string $address): string
    {
        $bytes = (string) @inet_pton(explode('%', $address)[0]);
        if (strlen($bytes) !== 16) {
            return $address;
        }
        $mapped = str_repeat("\0", 10) . "\xff\xff";
        return (string) inet_ntop(str_starts_with($bytes, $mapped) ? substr($bytes, 12) : substr($bytes, 0, 8) . str_repeat("\0", 8));
    }
}
