<?php

declare(strict_types=1);

namespace Tua\Tests;

use GuzzleHttp\Client;
use Illuminate\Container\Container;
use Illuminate\Events\Dispatcher;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Routing\Router;
use PHPUnit\Framework\TestCase;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Controller\ArgumentResolver;
use Symfony\Component\HttpKernel\Controller\ControllerResolver;
use Symfony\Component\HttpKernel\HttpKernel;
use Tua\Cart\CartCheckout;
use Tua\Cart\Donation;
use Tua\Exception\UsageException;
use Tua\Middleware\LaravelCheckout;
use Tua\Middleware\SymfonyCheckout;

/** The carts of sdks/conformance, in plain PHP, and in the Symfony and Laravel that Debian packages. */
final class CartTest extends TestCase
{
    private static ?Program $server = null;
    private static string $plainShop = '';
    /** @var resource|null */
    private static $plainProcess = null;

    public static function setUpBeforeClass(): void
    {
        self::$server = Program::node('server.mjs');
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::$plainShop = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        $silent = [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']];
        self::$plainProcess = proc_open(['php', '-S', self::$plainShop, __DIR__ . '/plain-cart.php'], $silent, $pipes);
        for ($attempt = 0; $attempt < 100 && @stream_socket_client('tcp://' . self::$plainShop, timeout: 1) === false; $attempt++) {
            usleep(50_000);
        }
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->stop();
        proc_terminate(self::$plainProcess);
        proc_close(self::$plainProcess);
    }

    /** @return iterable<string, array{array<string, mixed>, string}> */
    public static function cases(): iterable
    {
        foreach (Carts::read()['cases'] as $case) {
            foreach (['Plain', 'Symfony', 'Laravel'] as $framework) {
                yield "{$framework}: {$case['name']}" => [$case, $framework];
            }
        }
    }

    /**
     * @dataProvider cases
     *
     * @param array<string, mixed> $case
     */
    public function testCase(array $case, string $framework): void
    {
        $base = self::$server?->line . "/php-{$framework}/" . rawurlencode($case['name']);
        $maxRetries = $case['client']['maxRetries'] ?? 3;
        $headers = ['content-type' => $case['contentType'] ?? 'application/json', 'content-encoding' => $case['contentEncoding'] ?? ''];
        $body = str_pad($case['body'], $case['padTo'] ?? 0);
        $send = [self::class, "in{$framework}"];
        [$status, $found, $text] = $send("{$base}/v1", $maxRetries, $body, array_filter($headers));
        $this->check($case['expect'], $status, $found, $text, "{$base}/docs/errors/");
        self::assertSame('{"problems":[]}', file_get_contents("{$base}/verify"));
    }

    /**
     * @param array<string, mixed> $expect
     * @param array<string, string> $headers
     */
    private function check(array $expect, int $status, array $headers, string $text, string $errorPages): void
    {
        self::assertSame($expect['status'], $status, $text);
        self::assertStringNotContainsString(Carts::KEY, $text);
        self::assertStringNotContainsString('hunter2', $text);
        foreach ($expect['headers'] ?? [] as $name => $value) {
            // Symfony adds "private" to Cache-Control.
            self::assertStringContainsString($value, $headers[$name]);
        }
        $body = json_decode($text, true);
        if ($status === 201) {
            self::assertSame(['checkoutToken', 'url', 'expiresAt'], array_keys($body));
            return;
        }
        self::assertStringStartsWith('application/problem+json', $headers['content-type']);
        $wanted = [$expect['code'], $errorPages . $expect['code'], $status];
        self::assertSame($wanted, [$body['code'], $body['type'], $body['status']]);
        self::assertSame($expect['title'] ?? $body['title'], $body['title']);
        self::assertNotSame('Error', $body['title']);
        $faults = array_map(static fn (array $fault): array => [$fault['pointer'], $fault['code']], $body['errors'] ?? []);
        self::assertSame($expect['faults'] ?? [], $faults);
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array{int, array<string, string>, string}
     */
    private static function inPlain(string $baseUrl, int $maxRetries, string $body, array $headers): array
    {
        $more = ['x-base-url' => $baseUrl, 'x-max-retries' => (string) $maxRetries];
        $response = (new Client())->post('http://' . self::$plainShop . '/checkout', [
            'body' => $body,
            'headers' => $headers + $more,
            'http_errors' => false,
        ]);
        $found = array_change_key_case(array_map(static fn (array $values): string => $values[0], $response->getHeaders()));
        return [$response->getStatusCode(), $found, (string) $response->getBody()];
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array{int, array<string, string>, string}
     */
    private static function inSymfony(string $baseUrl, int $maxRetries, string $body, array $headers): array
    {
        $checkout = new SymfonyCheckout(Carts::shop($baseUrl, $maxRetries));
        $request = self::request($body, $headers);
        $request->attributes->set('_controller', static fn (Request $request): Response => $checkout->answer($request));
        $kernel = new HttpKernel(new EventDispatcher(), new ControllerResolver(), new RequestStack(), new ArgumentResolver());
        return self::readResponse($kernel->handle($request));
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array{int, array<string, string>, string}
     */
    private static function inLaravel(string $baseUrl, int $maxRetries, string $body, array $headers): array
    {
        $container = new Container();
        $container->instance(CartCheckout::class, Carts::shop($baseUrl, $maxRetries));
        $router = new Router(new Dispatcher($container), $container);
        $router->post('/checkout', LaravelCheckout::class);
        $received = LaravelRequest::createFromBase(self::request($body, $headers));
        // As the kernel of Laravel does.
        $container->instance(LaravelRequest::class, $received);
        return self::readResponse($router->dispatch($received));
    }

    /** @param array<string, string> $headers */
    private static function request(string $body, array $headers): Request
    {
        $server = ['CONTENT_TYPE' => $headers['content-type'], 'HTTP_CONTENT_ENCODING' => $headers['content-encoding'] ?? ''];
        return Request::create('/checkout', 'POST', server: $server, content: $body);
    }

    /** @return array{int, array<string, string>, string} */
    private static function readResponse(Response $response): array
    {
        $headers = array_map(static fn (array $values): string => (string) $values[0], $response->headers->all());
        return [$response->getStatusCode(), $headers, (string) $response->getContent()];
    }

    private static function right(mixed ...$options): CartCheckout
    {
        $name = rawurlencode(Carts::read()['cases'][0]['name']);
        return Carts::shop(self::$server?->line . "/php-more/{$name}/v1", 3, ...$options);
    }

    public function testACartIsLimitedByTheAddressOfItsClient(): void
    {
        $cart = self::right();
        $send = static fn (?string $address): array => $cart->respond('application/json', '{', address: $address);
        for ($count = 0; $count < 60; $count++) {
            self::assertSame(400, $send('2001:db8::1')['status']);
        }
        $refused = $send('2001:db8:0:0:ffff::2');
        self::assertSame([429, '1'], [$refused['status'], $refused['headers']['retry-after']]);
        self::assertSame('rate_limited', json_decode($refused['body'], true)['code']);
        foreach (['2001:db8:0:1::1', '192.0.2.1', null] as $other) {
            self::assertSame(400, $send($other)['status']);
        }
    }

    public function testACartOpensNoMoreCheckoutsThanOneAddressMayHave(): void
    {
        $cart = self::right(maxOpenSessions: 4);
        $body = Carts::read()['cases'][0]['body'];
        $send = static fn (string $address): int => $cart->respond('application/json', $body, address: $address)['status'];
        $addresses = ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'];
        self::assertSame([201, 201, 429, 201], array_map($send, $addresses));
    }

    public function testLimitsThatCannotBeKeptLeaveOneLineAndRefuseNobody(): void
    {
        $errors = [];
        $log = static function (\Throwable $error) use (&$errors): void {
            $errors[] = $error->getMessage();
        };
        $cart = self::right(limitsFile: sys_get_temp_dir() . '/tua-no-such-folder/limits.json', log: $log);
        for ($count = 0; $count < 61; $count++) {
            self::assertSame(400, $cart->respond('application/json', '{', address: '192.0.2.1')['status']);
        }
        self::assertCount(1, $errors);
        self::assertStringContainsString('limitsFile', $errors[0]);
    }

    public function testWhatIsNoTimeInTheFileOfLimitsIsDropped(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'tua-carts-');
        file_put_contents($file, '{"carts 192.0.2.1": "soon", "carts 192.0.2.2": [], "carts 192.0.2.3": null}');
        $cart = self::right(limitsFile: $file);
        self::assertSame(400, $cart->respond('application/json', '{', address: '192.0.2.1')['status']);
        self::assertSame(['carts 192.0.2.1'], array_keys(json_decode((string) file_get_contents($file), true)));
    }

    public function testTheFolderOfLimitsIsTheUsersOwn(): void
    {
        $place = sys_get_temp_dir() . '/tua-limits-' . bin2hex(random_bytes(8));
        mkdir("{$place}/of-another", recursive: true);
        $code = 'require $argv[1]; $log = static fn (Throwable $error) => print $error->getMessage();
            exit((new Tua\Cart\AddressLimits(null, 200, $log))->countCart("192.0.2.1"));';
        $count = static function () use ($place, $code): string {
            $words = ['php', '-d', "sys_temp_dir={$place}", '-r', $code, '--', __DIR__ . '/bootstrap.php'];
            exec(implode(' ', array_map(escapeshellarg(...), $words)), $lines, $status);
            self::assertSame(0, $status);
            return implode("\n", $lines);
        };
        $folder = "{$place}/tua-carts-" . posix_geteuid();
        self::assertSame('', $count());
        self::assertSame(0700, fileperms($folder) & 0777);
        [$file] = glob("{$folder}/*.json") ?: [''];
        self::assertSame(0600, fileperms($file) & 0777);
        unlink($file);
        rmdir($folder);
        symlink("{$place}/of-another", $folder);
        self::assertStringContainsString('limitsFile', $count());
        self::assertSame([], glob("{$place}/of-another/*"));
        exec('rm -rf ' . escapeshellarg($place));
    }

    public function testAFaultOfTheShopLeavesOneLine(): void
    {
        foreach (['the key is wrong' => '/^shop-\w{16}: invalid_credentials/', "the shop's own fault" => '/hunter2/', 'shows no secret' => '/^shop-\w{16}: validation_failed \(status 422\)$/'] as $name => $text) {
            $errors = [];
            $find = static fn (array $case): bool => str_ends_with($case['name'], $name);
            [$case] = array_values(array_filter(Carts::read()['cases'], $find));
            $log = static function (\Throwable $error) use (&$errors): void {
                $errors[] = $error->getMessage();
            };
            $cart = Carts::shop(self::$server?->line . '/php-log/' . rawurlencode($case['name']) . '/v1', 3, log: $log);
            $cart->respond('application/json', $case['body']);
            self::assertCount(1, $errors);
            self::assertMatchesRegularExpression($text, $errors[0]);
            self::assertStringNotContainsString(Carts::KEY, $errors[0]);
        }
    }

    public function testWrongSettingsAreRefused(): void
    {
        foreach (
            [
                static fn () => self::right(returnUrl: 'https://{reference}.shop.example/'),
                static fn () => self::right(returnUrl: 'https://shop.example:{reference}/'),
                static fn () => self::right(returnUrl: 'orders/{reference}'),
                static fn () => self::right(returnUrl: 'https://user@shop.example/'),
                static fn () => new Donation('Library', '2', '1'),
                static fn () => new Donation('', '1', '2'),
                static fn () => self::right(maxOpenSessions: 0),
            ] as $make
        ) {
            try {
                $make();
                self::fail('it was accepted');
            } catch (UsageException $error) {
                self::assertNotSame('', $error->getMessage());
            }
        }
    }
}
