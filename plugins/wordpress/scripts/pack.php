<?php

// Packs the plug-in as people install it: php scripts/pack.php <file.zip>. Needs msgfmt.
declare(strict_types=1);

const FILES = ['tua-payments.php', 'uninstall.php', 'readme.txt', 'LICENSE', 'assets', 'blocks', 'src', 'templates', 'vendor', 'languages'];

require __DIR__ . '/vendor.php';

$zip = $argv[1] ?? exit("Usage: php scripts/pack.php <file.zip>\n");
foreach (glob("{$plugin}/languages/*.po") ?: [] as $po) {
    passthru('msgfmt --check-format -o ' . escapeshellarg(substr($po, 0, -3) . '.mo') . ' ' . escapeshellarg($po), $status);
    $status === 0 || exit(1);
    writeScriptTexts($po);
}
copy("{$plugin}/../../LICENSE-MIT", "{$plugin}/LICENSE");
@unlink($zip);
$archive = new PharData($zip, 0, null, Phar::ZIP);
foreach (FILES as $name) {
    $path = "{$plugin}/{$name}";
    $files = is_dir($path) ? new RecursiveIteratorIterator(new RecursiveDirectoryIterator($path, FilesystemIterator::SKIP_DOTS)) : [$path];
    foreach ($files as $file) {
        $archive->addFile((string) $file, 'tua-payments' . substr((string) $file, strlen($plugin)));
    }
}

/** The texts of the editor's script, in the form that WordPress loads (Jed). */
function writeScriptTexts(string $po): void
{
    preg_match_all('/^((?:#.*\n)*)msgid "(.+)"\nmsgstr "(.+)"$/m', (string) file_get_contents($po), $entries, PREG_SET_ORDER);
    $texts = ['' => ['domain' => 'messages']];
    foreach ($entries as [, $comments, $english, $translation]) {
        if (str_contains($comments, '.js:')) {
            $texts[stripcslashes($english)] = [stripcslashes($translation)];
        }
    }
    $json = ['domain' => 'messages', 'locale_data' => ['messages' => $texts]];
    file_put_contents(substr($po, 0, -3) . '-tua-payments-block.json', json_encode($json, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR));
}
