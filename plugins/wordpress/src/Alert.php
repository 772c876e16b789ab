<?php

declare(strict_types=1);

namespace TuaPayments;

use TuaPayments\Settings\Mode;

defined('ABSPATH') || exit;

/** Tells the administrator of money that no page of the site shows. */
final class Alert
{
    /** Test payments are in the log only. */
    public static function send(Mode $mode, string $sentence): void
    {
        Log::write($sentence);
        if ($mode === Mode::Live) {
            // translators: %s: the address of the site.
            $subject = sprintf(__('A payment needs your attention: %s', 'tua-payments'), Site::address());
            wp_mail((string) get_option('admin_email', ''), $subject, $sentence);
        }
    }
}
