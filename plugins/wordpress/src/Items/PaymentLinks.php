<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Log;
use TuaPayments\Service\Service;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\Settings;
use TuaPayments\Vendor\Tua\Exception\TuaException;

defined('ABSPATH') || exit;

/** Creates the payment links of items. When a price changes, the old link is closed and a new one is created. */
final class PaymentLinks
{
    private const CLOSED = 'closed';

    /** The link of the item in the mode of the site, if there is one with the item's price. */
    public static function current(Item $item): ?array
    {
        $link = $item->link(Settings::mode());
        return $link !== null && $link['terms'] === self::terms($item) ? $link : null;
    }

    /** Creates the link that the item needs. Returns whether it has one now. */
    public static function update(Item $item): bool
    {
        $mode = Settings::mode();
        if (!Settings::isReady($mode) || !$item->isComplete()) {
            return false;
        }
        if (self::current($item) !== null) {
            return true;
        }
        $terms = self::terms($item);
        $key = hash('sha256', home_url() . " {$item->id} {$item->text('link_number')} {$terms}");
        $old = $item->link($mode);
        try {
            $link = Service::client($mode)->links->create(self::request($item), "wp-link-{$key}");
            if ($old !== null && $old['id'] !== $link->linkId) {
                OldLinks::add($item, $mode, $old);
            }
            $item->saveLink($mode, [
                'id' => $link->linkId,
                'url' => $link->url,
                'qr' => $link->qr,
                'reference' => $link->reference,
                'terms' => $terms,
            ]);
            $item->save(['link_number' => (string) ((int) $item->text('link_number') + 1)]);
        } catch (TuaException $error) {
            Log::write("link of item {$item->id}: {$error->getMessage()}");
            return false;
        }
        OldLinks::close($item, $mode);
        return true;
    }

    /** Closes the links of an item that is not sold any more. One that fails is closed by the timer. */
    public static function close(Item $item): void
    {
        foreach (array_filter(Mode::cases(), Settings::isReady(...)) as $mode) {
            self::closeIn($item, $mode);
        }
    }

    /** Closes what is still open: earlier links, and the link of an item that is not sold any more. */
    public static function closeLeft(Mode $mode): void
    {
        foreach (Item::withLink($mode) as $item) {
            if (Item::published($item->id) === null) {
                self::closeIn($item, $mode);
            } else {
                OldLinks::close($item, $mode);
            }
        }
    }

    private static function closeIn(Item $item, Mode $mode): void
    {
        OldLinks::close($item, $mode);
        $link = $item->link($mode);
        if ($link !== null && $link['terms'] !== self::CLOSED && OldLinks::closeOne($item, $mode, $link['id'])) {
            $item->saveLink($mode, ['terms' => self::CLOSED] + $link);
        }
    }

    /** @return array<string, mixed> */
    private static function request(Item $item): array
    {
        return array_filter([
            'title' => mb_substr($item->title(), 0, 100),
            'amount' => $item->amount(),
            'minAmount' => $item->minAmount(),
            'maxAmount' => $item->maxAmount(),
            'metadata' => ['source' => 'wordpress', 'item' => (string) $item->id],
        ], static fn (mixed $value): bool => $value !== null);
    }

    /** What a link promises: another title or price needs another link. */
    private static function terms(Item $item): string
    {
        return hash('sha256', (string) wp_json_encode(self::request($item)) . Settings::serviceUrl());
    }
}
