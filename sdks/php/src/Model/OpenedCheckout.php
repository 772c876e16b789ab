<?php

// Generated from docs/openapi.json by scripts/generate-models.php. Do not edit.

declare(strict_types=1);

namespace Tua\Model;

use Tua\Internal\Reader;

/** A session that was just created, with its token. */
final class OpenedCheckout extends Model
{
    private function __construct(
        public readonly string $checkoutId,
        /** The token for the checkout component. It is valid for 30 minutes, and returned here only. */
        public readonly string $checkoutToken,
        /** When the token expires, in test mode on the account's sandbox clock. */
        public readonly string $expiresAt,
        /** The merchant's own name for the session. Generated where the request had none. */
        public readonly string $reference,
        /** The hosted payment page of this session. */
        public readonly string $url,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): static
    {
        return new static(
            Reader::string($data, 'checkoutId'),
            Reader::string($data, 'checkoutToken'),
            Reader::string($data, 'expiresAt'),
            Reader::string($data, 'reference'),
            Reader::string($data, 'url'),
        );
    }
}
