<?php

// The classes of this package, and those that Debian's packages install. TUA_PACKED is the folder where
// scripts/test-packed.php has installed the package.

declare(strict_types=1);

// Laravel 8 and Symfony 5 of Debian have deprecations under PHP 8.2.
error_reporting(E_ALL & ~E_DEPRECATED);

$packed = getenv('TUA_PACKED');
if ($packed !== false) {
    require "{$packed}/vendor/autoload.php";
}
$folders = ['Tua\\Tests\\' => __DIR__ . '/'] + ($packed === false ? ['Tua\\' => __DIR__ . '/../src/'] : []);
spl_autoload_register(static function (string $class) use ($folders): void {
    foreach ($folders as $prefix => $folder) {
        $file = $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
foreach (['GuzzleHttp', 'GuzzleHttp/Psr7', 'Illuminate/Routing', 'Illuminate/Events', 'Symfony/Component/HttpFoundation', 'Symfony/Component/HttpKernel', 'Symfony/Component/Routing'] as $package) {
    $file = "/usr/share/php/{$package}/autoload.php";
    if (is_file($file)) {
        require_once $file;
    }
}
