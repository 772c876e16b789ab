<?php

// Collects the texts of the plug-in for translators, and adds new ones to the translations: php scripts/texts.php. With
// --check it changes nothing, and fails where a text is missing or not translated. Needs gettext.
declare(strict_types=1);

const DOMAIN = 'tua-payments';
const PHP_KEYWORDS = ['__', 'esc_html__', 'esc_html_e', 'esc_attr__', 'esc_attr_e', '_n_noop:1,2'];

function run(string ...$command): string
{
    exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
    if ($status !== 0) {
        fwrite(STDERR, implode("\n", $lines) . "\n");
        exit(1);
    }
    return implode("\n", $lines);
}

/** @return list<string> */
function sources(string $extension): array
{
    $files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator('.', FilesystemIterator::SKIP_DOTS));
    $names = array_map(static fn (mixed $file): string => substr((string) $file, 2), iterator_to_array($files, false));
    $ours = array_filter($names, static fn (string $name): bool => preg_match("#^(src|templates|blocks|assets)/.*\\.{$extension}$#", $name) === 1);
    sort($ours);
    return $ours;
}

chdir(dirname(__DIR__));
$isCheck = in_array('--check', $argv, true);
is_dir('languages') || mkdir('languages');
$template = $isCheck ? tempnam(sys_get_temp_dir(), 'tua-texts') : 'languages/' . DOMAIN . '.pot';
$common = ['--from-code=UTF-8', '--add-comments=translators', '--package-name=Tua Payments'];
$keywords = array_map(static fn (string $keyword): string => "--keyword={$keyword}", PHP_KEYWORDS);
run('xgettext', '--language=PHP', ...$common, ...$keywords, ...['--add-location=file', "--output={$template}"], ...sources('php'));
run('xgettext', '--language=JavaScript', ...$common, ...['--keyword=__', '--add-location=file', '--join-existing', "--output={$template}"], ...sources('js'));
// xgettext writes when it ran, which would change the file each time, and leaves the charset to people.
$text = preg_replace('/^"POT-Creation-Date:.*\n/m', '', (string) file_get_contents($template));
file_put_contents($template, str_replace('charset=CHARSET', 'charset=UTF-8', (string) $text));
foreach (glob('languages/*.po') ?: [] as $po) {
    if (!$isCheck) {
        run('msgmerge', '--update', '--backup=none', '--no-fuzzy-matching', '--add-location=file', $po, $template);
        continue;
    }
    run('msgcmp', $po, $template); // Fails where a text of the template is missing, fuzzy or not translated.
}
if ($isCheck) {
    unlink($template);
}
