<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Exception\ApiException;
use TuaPayments\Vendor\Tua\Exception\TuaException;

defined('ABSPATH') || exit;

/**
 * The links that other ones have replaced. Each is kept until it is closed, and for some days more: a charge that began before
 * may still end, and the service sends its event again for days.
 */
final class OldLinks
{
    private const KEPT_SECONDS = 4 * DAY_IN_SECONDS;

    /** @param array{id: string, reference: string} $link */
    public static function add(Item $item, Mode $mode, array $link): void
    {
        $others = array_filter($item->oldLinks($mode), static fn (array $old): bool => $old['id'] !== $link['id']);
        $item->saveOldLinks($mode, [...array_values($others), ['id' => $link['id'], 'reference' => $link['reference'], 'closed_at' => 0]]);
    }

    /** Closes those that are still open, and drops those that are over. */
    public static function close(Item $item, Mode $mode): void
    {
        $links = [];
        foreach ($item->oldLinks($mode) as $link) {
            if ($link['closed_at'] === 0 && self::closeOne($item, $mode, $link['id'])) {
                $link['closed_at'] = time();
            }
            if ($link['closed_at'] === 0 || $link['closed_at'] > time() - self::KEPT_SECONDS) {
                $links[] = $link;
            }
        }
        if ($links !== $item->oldLinks($mode)) {
            $item->saveOldLinks($mode, $links);
        }
    }

    /** Closes a link. Returns whether nobody can pay with it any more. */
    public static function closeOne(Item $item, Mode $mode, string $linkId): bool
    {
        try {
            Service::client($mode)->links->close($linkId);
        } catch (TuaException $error) {
            Log::write("link of item {$item->id}: {$error->getMessage()}");
            return $error instanceof ApiException && $error->status === 404; // It is a link of another service or account.
        }
        return true;
    }
}
