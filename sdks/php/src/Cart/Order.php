<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Amount;
use Tua\Exception\Fault;
use Tua\Internal\JsonObject;
use Tua\Internal\Number;

/**
 * A page's cart, read strictly, with the shop's names and prices.
 *
 * @internal
 */
final class Order
{
    private const MAX_LINES = 30;
    private const MAX_PESEWAS = 100_000_000_000;
    private const EMAIL = '/\A[^\s@<>()[\]\\\\,;:"\p{Cc}]+@[^\s@<>()[\]\\\\,;:"\p{Cc}]+\.[^\s@.<>()[\]\\\\,;:"\p{Cc}]+\z/u';

    /** @param array<mixed> $metadata The page's own, and what is bought. */
    private function __construct(
        public readonly string $email,
        public readonly ?string $reference,
        public readonly array $metadata,
        public readonly string $total,
    ) {
    }

    /**
     * The SKUs that a cart names, which the shop looks up.
     *
     * @return list<string>
     */
    public static function findSkus(JsonObject $cart, ?Donation $donation): array
    {
        $items = $cart->members['items'] ?? null;
        $skus = [];
        foreach (is_array($items) && count($items) <= self::MAX_LINES ? $items : [] as $item) {
            $sku = $item instanceof JsonObject ? $item->members['sku'] ?? null : null;
            if (is_string($sku) && !($donation !== null && $sku === Donation::SKU) && !in_array($sku, $skus, true)) {
                $skus[] = $sku;
            }
        }
        return $skus;
    }

    /**
     * Reads a cart; throws a CartProblem with every fault.
     *
     * @param iterable<SoldItem> $sold
     */
    public static function read(JsonObject $cart, iterable $sold, ?Donation $donation): self
    {
        $prices = [];
        foreach ($sold as $item) {
            $prices[$item->sku] = $item;
        }
        $faults = [];
        $members = new CartMembers($cart, '', $faults);
        $items = $members->read('items', self::readList(...));
        $email = $members->read('email', self::readEmail(...));
        $reference = $members->readOptional('reference', self::readText(...));
        $metadata = $members->readOptional('metadata', self::readMetadata(...));
        $members->refuseOthers();
        $ofItems = [];
        $lines = $items === null ? [] : self::readLines($items, $prices, $donation, $ofItems);
        $total = array_sum(array_map(static fn (Line $line): int => $line->pesewas * $line->quantity, $lines));
        if ($ofItems === [] && $faults === [] && $total > self::MAX_PESEWAS) {
            $ofItems[] = new Fault('/items', 'invalid_amount', "The cart's total is above the largest amount.");
        }
        if ($ofItems !== [] || $faults !== []) {
            throw CartProblem::of([...$ofItems, ...$faults]);
        }
        $bought = ['items' => array_map(static fn (Line $line): array => $line->describe(), $lines)];
        return new self((string) $email, $reference, ($metadata ?? []) + $bought, Amount::fromPesewas($total));
    }

    /**
     * @param list<mixed> $items
     * @param array<SoldItem> $sold
     * @param list<Fault> $faults
     *
     * @return list<Line>
     */
    private static function readLines(array $items, array $sold, ?Donation $donation, array &$faults): array
    {
        if ($items === []) {
            $faults[] = new Fault('/items', 'empty_cart', 'The cart is empty.');
        }
        if (count($items) > self::MAX_LINES) {
            $most = self::MAX_LINES;
            $faults[] = new Fault('/items', 'too_many_items', "A cart may have at most {$most} different items.");
            return [];
        }
        $lines = [];
        foreach ($items as $index => $item) {
            $line = self::readLine($item, "/items/{$index}", $sold, $donation, $faults);
            if ($line === null) {
                continue;
            }
            if (in_array($line->sku, array_column($lines, 'sku'), true)) {
                $detail = "The cart has {$line->sku} more than once. Send one item with the whole quantity.";
                $faults[] = new Fault("/items/{$index}/sku", 'duplicate_sku', $detail);
            }
            $lines[] = $line;
        }
        return $lines;
    }

    /**
     * @param array<SoldItem> $sold
     * @param list<Fault> $faults
     */
    private static function readLine(mixed $item, string $pointer, array $sold, ?Donation $donation, array &$faults): ?Line
    {
        $object = JsonObject::of($item);
        if ($object === null) {
            $faults[] = new Fault($pointer, 'invalid_type', 'This must be a JSON object.');
            return null;
        }
        $before = count($faults);
        $members = new CartMembers($object, $pointer, $faults);
        $line = null;
        if ($donation !== null && ($object->members['sku'] ?? null) === Donation::SKU) {
            $members->read('sku', self::readText(...));
            $pesewas = $members->read('amount', static fn (mixed $value): int => self::readDonation($value, $donation));
            $members->forbid('quantity', 'A donation has an amount and no quantity.');
            $line = $pesewas === null ? null : new Line(Donation::SKU, $donation->name, $pesewas, 1);
        } else {
            $found = $members->read('sku', static fn (mixed $value): SoldItem => self::readSku($value, $sold));
            $quantity = $members->read('quantity', self::readQuantity(...));
            $members->forbid('amount', 'The shop sets this price.');
            $isRead = $found !== null && $quantity !== null;
            $line = $isRead ? new Line($found->sku, $found->name, $found->pesewas, $quantity) : null;
        }
        $members->refuseOthers();
        return count($faults) === $before ? $line : null;
    }

    /** @return list<mixed> */
    private static function readList(mixed $value): array
    {
        return is_array($value) ? $value : throw new CartRefusal('invalid_type', 'This must be a JSON array.');
    }

    private static function readText(mixed $value): string
    {
        return is_string($value) ? $value : throw new CartRefusal('invalid_type', 'This must be a text.');
    }

    private static function readEmail(mixed $value): string
    {
        $email = self::readText($value);
        $isEmail = strlen($email) <= 254 && preg_match(self::EMAIL, $email) === 1;
        return $isEmail ? $email : throw new CartRefusal('invalid_email', 'This is not an e-mail address.');
    }

    /** @return array<mixed> */
    private static function readMetadata(mixed $value): array
    {
        $metadata = JsonObject::of($value) ?? throw new CartRefusal('invalid_type', 'The metadata must be a JSON object.');
        if (array_key_exists('items', $metadata->members)) {
            $detail = 'The metadata may not have the member items: the shop writes what was bought there.';
            throw new CartRefusal('field_not_allowed', $detail);
        }
        return $metadata->members;
    }

    /** @param array<SoldItem> $sold */
    private static function readSku(mixed $value, array $sold): SoldItem
    {
        return $sold[self::readText($value)] ?? throw new CartRefusal('unknown_sku', 'The shop does not sell this.');
    }

    private static function readQuantity(mixed $value): int
    {
        if (!$value instanceof Number) {
            throw new CartRefusal('invalid_type', 'The quantity must be a JSON number.');
        }
        if (preg_match('/\A[1-9][0-9]{0,2}\z/', $value->digits) !== 1) {
            throw new CartRefusal('invalid_quantity', 'The quantity must be a whole number from 1 to 999.');
        }
        return (int) $value->digits;
    }

    private static function readDonation(mixed $value, Donation $donation): int
    {
        if (!$value instanceof Number) {
            throw new CartRefusal('invalid_type', 'The amount must be a JSON number, in cedis.');
        }
        if (preg_match('/\A([0-9]{1,10})(?:\.([0-9]{1,2})0*)?\z/', $value->digits, $parts) !== 1) {
            throw new CartRefusal('invalid_amount', 'The amount is more than 0, and has at most 2 decimals and no exponent.');
        }
        $pesewas = (int) ($parts[1] . str_pad($parts[2] ?? '', 2, '0'));
        if ($pesewas === 0 || $pesewas > self::MAX_PESEWAS) {
            throw new CartRefusal('invalid_amount', 'The amount must be from 0.01 to 1000000000.00.');
        }
        if ($pesewas < Amount::toPesewas($donation->min) || $pesewas > Amount::toPesewas($donation->max)) {
            $detail = "The donation must be between {$donation->min} and {$donation->max} GHS.";
            throw new CartRefusal('donation_out_of_range', $detail);
        }
        return $pesewas;
    }
}
