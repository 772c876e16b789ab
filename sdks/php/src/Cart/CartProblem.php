<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Exception\Fault;

/**
 * A cart that is refused, as a problem document (RFC 9457).
 *
 * @internal
 */
final class CartProblem extends \Exception
{
    private const TITLES = [
        'body_too_large' => 'The body is too large',
        'donation_out_of_range' => 'The donation is too small or too large',
        'duplicate_sku' => 'An item appears twice',
        'empty_cart' => 'The cart is empty',
        'field_not_allowed' => 'A field is not allowed here',
        'field_required' => 'A required field is missing',
        'internal_error' => 'The service failed',
        'invalid_amount' => 'The amount is not valid',
        'invalid_email' => 'The e-mail address is not valid',
        'invalid_metadata' => 'The metadata is not valid',
        'invalid_quantity' => 'A quantity is not valid',
        'invalid_text' => 'A text is not valid',
        'invalid_type' => 'A value has the wrong JSON type',
        'malformed_json' => 'The body is not valid JSON',
        'rate_limited' => 'Too many requests',
        'too_long' => 'A text is too long',
        'too_many_items' => 'The cart has too many items',
        'unknown_field' => 'A field does not exist',
        'unknown_sku' => 'The shop does not sell this item',
        'unsupported_media_type' => 'The Content-Type or Content-Encoding is not supported',
        'upstream_refused' => "The payment service refused the shop's request",
        'upstream_unavailable' => 'The payment service is not available',
        'validation_failed' => 'Several fields are not valid',
    ];

    /**
     * @param list<Fault> $errors
     * @param array<string, string> $headers
     * @param \Throwable|null $reason For the log of the shop; it leaves it nowhere else.
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        public readonly string $detail,
        public readonly array $errors = [],
        public readonly array $headers = [],
        public readonly ?\Throwable $reason = null,
    ) {
        parent::__construct($detail);
    }

    /**
     * The refusal of a cart with these faults. The code and the detail of a single fault are those of the request.
     *
     * @param list<Fault> $faults
     */
    public static function of(array $faults): self
    {
        if (count($faults) === 1) {
            return new self(422, $faults[0]->code, $faults[0]->detail, $faults);
        }
        return new self(422, 'validation_failed', count($faults) . ' fields are not valid. See errors.', $faults);
    }

    /** Whether a page knows the code. */
    public static function isKnownCode(string $code): bool
    {
        return isset(self::TITLES[$code]);
    }

    /** The document. `$errorPages` is the address of the service's pages about codes. */
    public function write(string $errorPages): string
    {
        $document = [
            'type' => $errorPages . $this->errorCode,
            'title' => self::TITLES[$this->errorCode] ?? 'Error',
            'status' => $this->status,
            'detail' => $this->detail,
            'code' => $this->errorCode,
        ];
        $errors = $this->errors === [] ? [] : ['errors' => $this->errors];
        return json_encode($document + $errors, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }
}
