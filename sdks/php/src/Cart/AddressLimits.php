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

    public function __construct(private readonly string $file, private readonly int $maxOpenSessions)
    {
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
        $file = fopen($this->file, 'c+') ?: throw new \RuntimeException("{$this->file} cannot be written");
        // Addresses are personal data, and others may use the same folder.
        @chmod($this->file, 0600);
        flock($file, LOCK_EX);
        $buckets = json_decode((string) stream_get_contents($file), true);
        // Each bucket that is not full has the time at which it will be. The clock of the machine may have been set back.
        $isLeft = static fn (float|int $full): bool => $full > $now && $full <= $now + self::SESSION_LIFETIME + 1;
        $left = array_filter(is_array($buckets) ? $buckets : [], $isLeft);
        $full = max($left[$key] ?? 0, $now) + $period / $burst;
        $wait = $full - $now - $period;
        if ($wait < 0.001) {
            $left[$key] = $full;
        }
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode((object) $left, JSON_THROW_ON_ERROR));
        fclose($file);
        return $wait < 0.001 ? 0 : (int) ceil($wait);
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
