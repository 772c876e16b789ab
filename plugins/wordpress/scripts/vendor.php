<?php

// Copies the SDK and the packages that it needs into vendor/, in the namespace TuaPayments\Vendor. So another plug-in with
// another version of a package changes nothing here.
//
//   PHP_PACKAGES=/usr/share/php php scripts/vendor.php
declare(strict_types=1);

const PREFIX = 'TuaPayments\\Vendor\\';
const PACKAGES = ['Tua', 'Psr', 'GuzzleHttp'];
const NAMES = [T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_STRING];

/** The same code, with every name of a package behind the prefix. */
function prefixed(string $code): string
{
    $result = '';
    $follows = null; // whether the next name follows `namespace`, as in `namespace Tua;`
    foreach (PhpToken::tokenize($code) as $token) {
        $text = $token->text;
        if ($token->is(NAMES)) {
            $name = ltrim($text, '\\');
            $isOfPackage = in_array(explode('\\', $name)[0], PACKAGES, true);
            if ($isOfPackage && ($token->id !== T_STRING || $follows === T_NAMESPACE)) {
                $text = ($name === $text ? '' : '\\') . PREFIX . $name;
            }
        }
        if (!$token->is([T_WHITESPACE, T_COMMENT, T_DOC_COMMENT])) {
            $follows = $token->id;
        }
        $result .= $text;
    }
    return guarded($result);
}

/** A file of a plug-in must not run when a browser asks for it. */
function guarded(string $code): string
{
    $guard = "\ndefined('ABSPATH') || exit;\n";
    return (string) preg_replace('/^namespace [^;]+;$/m', '$0' . $guard, $code, 1);
}

/** @param list<string> $excluded Names of files and folders. */
function copyPackage(string $from, string $to, array $excluded = []): void
{
    foreach (array_diff(scandir($from) ?: [], ['.', '..'], $excluded) as $name) {
        if (is_dir("{$from}/{$name}")) {
            copyPackage("{$from}/{$name}", "{$to}/{$name}");
        } elseif (str_ends_with($name, '.php')) {
            is_dir($to) || mkdir($to, 0755, true);
            file_put_contents("{$to}/{$name}", prefixed((string) file_get_contents("{$from}/{$name}")));
        }
    }
}

function deleteFolder(string $folder): void
{
    foreach (array_diff(is_dir($folder) ? scandir($folder) : [], ['.', '..']) as $name) {
        is_dir("{$folder}/{$name}") ? deleteFolder("{$folder}/{$name}") : unlink("{$folder}/{$name}");
    }
    is_dir($folder) && rmdir($folder);
}

/** The vendor folder of the plug-in. */
function writeVendor(string $folder): void
{
    $sdk = dirname(__DIR__, 3) . '/sdks/php/src';
    $packages = getenv('PHP_PACKAGES') ?: '/usr/share/php';
    deleteFolder($folder);
    copyPackage($sdk, "{$folder}/Tua", ['Testing', 'Middleware']);
    foreach (['Psr/Http/Client', 'Psr/Http/Message', 'GuzzleHttp/Psr7'] as $package) {
        copyPackage("{$packages}/{$package}", "{$folder}/{$package}", ['autoload.php', 'factory-autoload.php']);
    }
}

if (realpath($argv[0]) === __FILE__) {
    writeVendor(dirname(__DIR__) . '/vendor');
}
