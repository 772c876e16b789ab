<?php

// Packs the plug-in as people install it: php scripts/pack.php <file.zip>. Needs msgfmt.
declare(strict_types=1);

const FILES = ['tua-payments.php', 'uninstall.php', 'readme.txt', 'assets', 'blocks', 'src', 'templates', 'languages'];

require __DIR__ . '/vendor.php';

/** Copies a file or folder. */
function copyAll(string $from, string $to): void
{
    if (is_file($from)) {
        copy($from, $to);
        return;
    }
    mkdir($to);
    foreach (array_diff(scandir($from) ?: [], ['.', '..']) as $name) {
        copyAll("{$from}/{$name}", "{$to}/{$name}");
    }
}

/** Compiles the translations of a folder. */
function compileTexts(string $folder): void
{
    foreach (glob("{$folder}/*.po") ?: [] as $po) {
        $mo = substr($po, 0, -3) . '.mo';
        passthru('msgfmt --check-format -o ' . escapeshellarg($mo) . ' ' . escapeshellarg($po), $status);
        $status === 0 || exit(1);
        writeScriptTexts($po);
    }
}

/** The texts of the editor's script, in the form that WordPress loads (Jed). */
function writeScriptTexts(string $po): void
{
    preg_match_all('/^((?:#.*\n)*)msgid "(.+)"\nmsgstr "(.+)"$/m', (string) file_get_contents($po), $entries, PREG_SET_ORDER);
    $texts = ['' => ['domain' => 'messages']];
    foreach ($entries as [, $comments, $english, $translation]) {
        if (str_contains($comments, '.js')) {
            $texts[stripcslashes($english)] = [stripcslashes($translation)];
        }
    }
    $json = ['domain' => 'messages', 'locale_data' => ['messages' => $texts]];
    file_put_contents(substr($po, 0, -3) . '-tua-payments-block.json', json_encode($json, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR));
}

if (!isset($argv[1])) {
    fwrite(STDERR, "Usage: php scripts/pack.php <file.zip>\n");
    exit(2);
}
$zip = $argv[1];
$source = dirname(__DIR__);
$folder = sys_get_temp_dir() . '/tua-payments-' . bin2hex(random_bytes(8));
mkdir($folder, 0700);
foreach (FILES as $name) {
    copyAll("{$source}/{$name}", "{$folder}/{$name}");
}
copy("{$source}/../../LICENSE-MIT", "{$folder}/LICENSE");
writeVendor("{$folder}/vendor");
compileTexts("{$folder}/languages");
if (is_file($zip)) {
    unlink($zip);
}
$archive = new PharData($zip, 0, null, Phar::ZIP);
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS));
foreach ($files as $file) {
    $archive->addFile((string) $file, 'tua-payments' . substr((string) $file, strlen($folder)));
}
deleteFolder($folder);
