<?php

// Finds the classes of this plug-in, and those of the packages that scripts/vendor.php copies into vendor/.

declare(strict_types=1);

defined('ABSPATH') || exit;

spl_autoload_register(static function (string $class): void {
    $folders = ['TuaPayments\\Vendor\\' => dirname(__DIR__) . '/vendor/', 'TuaPayments\\' => __DIR__ . '/'];
    foreach ($folders as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});
