<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Settings\Mode;
use TuaPayments\Vendor\Tua\Amount;

defined('ABSPATH') || exit;

/**
 * Something that is sold, or that people give for: a post of the type tua_item. Its price is here only, never in a page or
 * a form, so that no payer and no old copy of a page can change it.
 */
final class Item
{
    public const TYPE = 'tua_item';
    private const PREFIX = '_tua_';

    public function __construct(public readonly int $id)
    {
    }

    /** The item, if it exists and is published. */
    public static function published(int $id): ?self
    {
        return get_post_type($id) === self::TYPE && get_post_status($id) === 'publish' ? new self($id) : null;
    }

    /** @return list<self> All published items, by title. */
    public static function all(): array
    {
        return self::query(['post_status' => 'publish', 'orderby' => 'title', 'order' => 'ASC']);
    }

    /** @return list<self> The items that have, or had, a payment link in this mode: also those that are not sold any more. */
    public static function withLink(Mode $mode): array
    {
        return self::query([
            'post_status' => ['publish', 'draft', 'private', 'pending', 'future', 'trash'],
            'meta_query' => [['key' => self::PREFIX . "link_{$mode->value}", 'compare' => 'EXISTS']],
        ]);
    }

    /**
     * @param array<string, mixed> $query
     *
     * @return list<self>
     */
    private static function query(array $query): array
    {
        $ids = get_posts($query + ['post_type' => self::TYPE, 'fields' => 'ids', 'posts_per_page' => -1]);
        return array_map(static fn (int $id): self => new self($id), array_values($ids));
    }

    public function title(): string
    {
        return html_entity_decode(get_the_title($this->id), ENT_QUOTES | ENT_HTML5, 'UTF-8');
    }

    public function isDonation(): bool
    {
        return $this->text('kind') === 'donation';
    }

    public function presentation(): Presentation
    {
        return Presentation::tryFrom($this->text('presentation')) ?? Presentation::Embedded;
    }

    /** What each payer pays; null where the payer chooses. */
    public function amount(): ?string
    {
        return $this->text('amount') ?: null;
    }

    /** The smallest amount that a payer may choose. */
    public function minAmount(): ?string
    {
        return $this->text('min_amount') ?: null;
    }

    /** The largest amount that a payer may choose. */
    public function maxAmount(): ?string
    {
        return $this->text('max_amount') ?: null;
    }

    /** Whether the item can be sold: it has a price, or lets the payer choose. */
    public function isComplete(): bool
    {
        return $this->amount() !== null || $this->isDonation();
    }

    /** What is wrong with an amount that a payer chose, in a sentence; null where it is allowed. */
    public function amountFault(string $amount): ?string
    {
        $pesewas = Amount::toPesewas($amount);
        $min = $this->minAmount();
        $max = $this->maxAmount();
        if ($min !== null && $pesewas < Amount::toPesewas($min)) {
            // translators: %s: an amount in GHS.
            return sprintf(__('The smallest amount is GHS %s.', 'tua-payments'), $min);
        }
        if ($max !== null && $pesewas > Amount::toPesewas($max)) {
            // translators: %s: an amount in GHS.
            return sprintf(__('The largest amount is GHS %s.', 'tua-payments'), $max);
        }
        return null;
    }

    /**
     * The payment link of this mode; null before it is created.
     *
     * @return array{id: string, url: string, qr: string, reference: string, terms: string}|null
     */
    public function link(Mode $mode): ?array
    {
        $link = get_post_meta($this->id, self::PREFIX . "link_{$mode->value}", true);
        return is_array($link) && isset($link['id'], $link['url'], $link['qr'], $link['reference'], $link['terms']) ? $link : null;
    }

    /** @param array{id: string, url: string, qr: string, reference: string, terms: string} $link */
    public function saveLink(Mode $mode, array $link): void
    {
        update_post_meta($this->id, self::PREFIX . "link_{$mode->value}", wp_slash($link));
    }

    /**
     * Earlier payment links of this mode that can still be paid, or whose last charge may be under way.
     *
     * @return list<array{id: string, reference: string, closed_at: int}> `closed_at` is 0 until the service has closed the link.
     */
    public function oldLinks(Mode $mode): array
    {
        $links = get_post_meta($this->id, self::PREFIX . "old_links_{$mode->value}", true);
        return is_array($links) ? array_values($links) : [];
    }

    /** @param list<array{id: string, reference: string, closed_at: int}> $links */
    public function saveOldLinks(Mode $mode, array $links): void
    {
        update_post_meta($this->id, self::PREFIX . "old_links_{$mode->value}", wp_slash($links));
    }

    /** @param array<string, string> $values */
    public function save(array $values): void
    {
        foreach ($values as $name => $value) {
            update_post_meta($this->id, self::PREFIX . $name, wp_slash($value));
        }
    }

    public function text(string $name): string
    {
        $value = get_post_meta($this->id, self::PREFIX . $name, true);
        return is_string($value) ? $value : '';
    }
}
