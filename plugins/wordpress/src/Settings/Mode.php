<?php

declare(strict_types=1);

namespace TuaPayments\Settings;

defined('ABSPATH') || exit;

/** Whether the sandbox answers (test) or real money moves (live). A payment keeps the mode that it began in. */
enum Mode: string
{
    case Test = 'test';
    case Live = 'live';

    /** Whether a secret key belongs to this mode and can open checkouts. */
    public function fits(#[\SensitiveParameter] string $secretKey): bool
    {
        return preg_match('/\Atua_' . $this->value . '_v2_[A-Za-z0-9_-]+\z/', $secretKey) === 1;
    }
}
