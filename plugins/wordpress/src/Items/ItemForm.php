<?php

declare(strict_types=1);

namespace TuaPayments\Items;

use TuaPayments\Vendor\Tua\Amount;

defined('ABSPATH') || exit;

/** Reads what a person sends from the page of an item. */
final class ItemForm
{
    /** @var list<string> What is wrong, in sentences. */
    public array $faults = [];

    /**
     * @param array<string, mixed> $sent
     *
     * @return array<string, string> The values to store. Where something is wrong, the item has no amount and is not sold.
     */
    public function read(array $sent): array
    {
        $isDonation = ($sent['kind'] ?? '') === 'donation';
        $presentation = is_string($sent['presentation'] ?? null) ? Presentation::tryFrom($sent['presentation']) : null;
        $amount = $this->amount($sent, 'amount');
        $min = $isDonation && $amount === '' ? $this->amount($sent, 'min_amount') : '';
        $max = $isDonation && $amount === '' ? $this->amount($sent, 'max_amount') : '';
        if (!$isDonation && $amount === '') {
            $this->faults[] = __('Something that is sold needs a price. Until it has one, it is not shown.', 'tua-payments');
        }
        if ($min !== '' && $max !== '' && Amount::toPesewas($min) > Amount::toPesewas($max)) {
            $this->faults[] = __('The smallest amount is larger than the largest one, so neither was stored.', 'tua-payments');
            $min = '';
            $max = '';
        }
        return [
            'kind' => $isDonation ? 'donation' : 'sale',
            'presentation' => ($presentation ?? Presentation::Embedded)->value,
            'amount' => $amount,
            'min_amount' => $min,
            'max_amount' => $max,
        ];
    }

    /** @param array<string, mixed> $sent */
    private function amount(array $sent, string $name): string
    {
        $text = is_string($sent[$name] ?? null) ? trim($sent[$name]) : '';
        $amount = $text === '' ? '' : TypedAmount::read($text);
        if ($amount === null) {
            // translators: %s: what a person typed.
            $this->faults[] = sprintf(__('“%s” is not an amount. Write it in cedis, such as 18.50.', 'tua-payments'), $text);
        }
        return $amount ?? '';
    }
}
