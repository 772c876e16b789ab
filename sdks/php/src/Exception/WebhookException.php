<?php

declare(strict_types=1);

namespace Tua\Exception;

/** A webhook that was not verified. Answer 400, and use nothing of it. */
final class WebhookException extends TuaException
{
    /**
     * @param 'body_parsed'|'header_missing'|'invalid_timestamp'|'timestamp_too_old'|'timestamp_too_new'|'signature_mismatch'|'invalid_body' $errorCode
     */
    public function __construct(public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }

    /** The refusal of a body whose bytes are lost. `$advice` names what to change. */
    public static function bodyParsed(string $advice): self
    {
        $message = "The body was parsed before it was verified, so its bytes are lost. {$advice}";
        return new self('body_parsed', "{$message} The signature covers the exact bytes.");
    }
}
