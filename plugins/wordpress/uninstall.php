<?php

// Deletes what the plug-in stored. The records of payments stay, unless the settings say otherwise: they are books.
declare(strict_types=1);

use TuaPayments\Uninstallation;

defined('WP_UNINSTALL_PLUGIN') || exit;

require __DIR__ . '/src/autoload.php';

Uninstallation::run();
