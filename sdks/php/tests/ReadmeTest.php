<?php

declare(strict_types=1);

namespace Tua\Tests;

use PHPUnit\Framework\TestCase;

/** The programs of the README. */
final class ReadmeTest extends TestCase
{
    /** After `use Tua\Tua;`, the name Tua\Exception\ApiException means Tua\Tua\Exception\ApiException, which `catch` never catches. */
    public function testTheExamplesImportTheirClasses(): void
    {
        foreach (['/README.md', '/../../docs/sdks.md'] as $page) {
            $text = (string) file_get_contents(dirname(__DIR__) . $page);
            self::assertGreaterThan(0, preg_match_all('/```php\n(.*?)```/s', $text, $blocks));
            foreach ($blocks[1] as $block) {
                $code = preg_replace('/^ *use [^;]+;$/m', '', $block);
                self::assertDoesNotMatchRegularExpression('/(?<!\\\\)\bTua\\\\/', (string) $code, $page);
                preg_match_all('/(?:\bnew |catch \(|\((?=Transaction|Event))([A-Z]\w+)|\b([A-Z]\w+)(?=::)/', (string) $code, $used);
                foreach (array_filter([...$used[1], ...$used[2]]) as $class) {
                    self::assertMatchesRegularExpression("/^ *use [^;]*[\\\\{ ]{$class}[,};]/m", $block, $page);
                }
            }
        }
    }

    public function testSomebodyWhoHasOnlyTheReadmeIsPaid(): void
    {
        if (getenv('TUA_BIN') === false) {
            self::markTestSkipped('TUA_BIN is not set');
        }
        $folder = sys_get_temp_dir() . '/tua-readme-' . bin2hex(random_bytes(4));
        mkdir("{$folder}/vendor", recursive: true);
        $packed = getenv('TUA_PACKED');
        // Composer's, which test-packed.php has run in another folder with the README's composer.json, or what stands for it.
        $autoload = $packed === false ? __DIR__ . '/bootstrap.php' : "{$packed}/vendor/autoload.php";
        file_put_contents("{$folder}/vendor/autoload.php", '<?php require ' . var_export($autoload, true) . ';');
        $arguments = [Program::FOLDER . 'readme.mjs', dirname(__DIR__) . '/README.md', $folder, 'php pay.php', 'php -S 127.0.0.1:9000 webhooks.php'];
        exec('node ' . implode(' ', array_map(escapeshellarg(...), $arguments)) . ' 2>&1', $output, $status);
        exec('rm -rf ' . escapeshellarg($folder));
        self::assertSame(0, $status, implode("\n", $output));
    }
}
