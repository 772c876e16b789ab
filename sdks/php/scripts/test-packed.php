<?php

// Packs the package with Composer, installs the archive in an empty folder, and runs the tests with it. Arguments are passed
// to PHPUnit.

declare(strict_types=1);

$root = dirname(__DIR__);
$place = (string) realpath(sys_get_temp_dir()) . '/tua-packed-' . bin2hex(random_bytes(4));
$run = static function (string $folder, string ...$command) use ($place): void {
    $line = implode(' ', array_map(escapeshellarg(...), $command));
    exec("cd {$folder} && COMPOSER_HOME={$place}/home COMPOSER_ALLOW_SUPERUSER=1 {$line} 2>&1", $output, $status);
    if ($status !== 0) {
        fwrite(STDERR, implode("\n", $output) . "\n");
        exit(1);
    }
};
register_shutdown_function(static fn () => exec('rm -rf ' . escapeshellarg($place)));
mkdir("{$place}/shop", recursive: true);
foreach (['LICENSE-APACHE', 'LICENSE-MIT'] as $licence) {
    copy("{$root}/../../{$licence}", "{$root}/{$licence}");
}
$run($root, 'composer', 'archive', '--format=tar', "--dir={$place}", '--file=tua-php');
mkdir("{$place}/package");
$run($place, 'tar', '-xf', 'tua-php.tar', '-C', 'package');
// The composer.json of the README for Debian's Guzzle. Only the address of the package is another.
preg_match('/```json\n(\{[^`]*"packagist": false[^`]*)```/', (string) file_get_contents("{$root}/README.md"), $block);
$composer = json_decode($block[1] ?? '', true, flags: JSON_THROW_ON_ERROR);
$composer['repositories'][0] = ['type' => 'path', 'url' => "{$place}/package", 'options' => ['symlink' => false]];
file_put_contents("{$place}/shop/composer.json", json_encode($composer));
$run("{$place}/shop", 'composer', 'install', '--no-interaction', '--no-progress');
putenv("TUA_PACKED={$place}/shop");
passthru('cd ' . escapeshellarg($root) . ' && phpunit ' . implode(' ', array_map(escapeshellarg(...), array_slice($argv, 1))), $status);
exit($status);
