<?php

declare(strict_types=1);

namespace Tua\Exception;

/** A webhook that was not verified. Answer 400, and use nothing of it. */
final class WebhookException extends TuaException
{
    /**
     * @param 'body_parsed'|'body_too_large'|'header_missing'|'invalid_timestamp'|'timestamp_too_old'|'timestamp_too_new'|'signature_mismatch'|'invalid_body' $errorCode
     */
    public function __construct(public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }

    /** The refusal of a body that is longer than any of the service. */
    public static function bodyTooLarge(): self
    {
        return new self('body_too_large', 'The body has more than 1 MiB. This is no webhook of Tua.');
    }

    /** The status of the response to this delivery: 400, or 413 for a body that is too large. */
    public function status(): int
    {
        return $this->errorCode === 'body_too_large' ? 413 : 400;
    }

    /** The refusal of a body whose bytes are lost. `$advice` names what to change. */
    public static function bodyParsed(string $advice): self
    {
        $message = "The body was parsed before it was verified, so its bytes are lost. {$advice}";
        return new self('body_parsed', "{$message} The signature covers the exact bytes.");
    }
}
