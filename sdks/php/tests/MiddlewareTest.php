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
use Tua\Event\Event;
use Tua\Event\PingEvent;
use Tua\Middleware\SymfonyWebhook;
use Tua\Middleware\VerifyTuaWebhook;
use Tua\Webhook;

/** The middleware in plain PHP, and in the Symfony and Laravel that Debian packages. */
final class MiddlewareTest extends TestCase
{
    /** @var (\Closure(\Throwable): void)|null */
    private static ?\Closure $log = null;
    /** @var list<string> */
    private array $logged = [];

    protected function setUp(): void
    {
        self::$log = function (\Throwable $error): void {
            $this->logged[] = $error->getMessage();
        };
    }

    private function assertOneLineIsLogged(): void
    {
        self::assertCount(1, $this->logged);
        self::assertMatchesRegularExpression('/^The signature does not match.*TUA_WEBHOOK_SECRET[^\n]*$/', $this->logged[0]);
        self::assertStringNotContainsString(substr(Deliveries::secret(), 6), $this->logged[0]);
    }

    public function testPlainPhp(): void
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($socket, false);
        fclose($socket);
        $log = (string) tempnam(sys_get_temp_dir(), 'tua');
        $output = [1 => ['file', '/dev/null', 'w'], 2 => ['file', $log, 'w']];
        $server = proc_open(['php', '-S', $address, __DIR__ . '/plain-shop.php'], $output, $pipes);
        try {
            self::waitForServer($address);
            $client = new Client(['base_uri' => "http://{$address}", 'http_errors' => false]);
            $post = static fn (string $path, string $body, array $headers) => $client->post($path, ['body' => $body, 'headers' => $headers]);
            $right = $post('/webhooks', Deliveries::PING, Deliveries::headers());
            self::assertSame([204, 'whe_1'], [$right->getStatusCode(), $right->getHeaderLine('x-endpoint')]);
            $forged = $post('/webhooks', Deliveries::forged(), Deliveries::headers());
            self::assertSame(400, $forged->getStatusCode());
            self::assertStringContainsString('signature does not match', (string) $forged->getBody());
            self::assertSame(1, preg_match_all('/webhook: refused: The signature does not match.*TUA_WEBHOOK_SECRET/', (string) file_get_contents($log)));
            self::assertSame(400, $post('/webhooks', '', [])->getStatusCode());
            self::assertSame(413, $post('/webhooks', Deliveries::large(), Deliveries::headers())->getStatusCode());
            $failed = $post('/fails', Deliveries::PING, Deliveries::headers());
            self::assertSame(500, $failed->getStatusCode());
            self::assertStringNotContainsString('hunter2', (string) $failed->getBody());
            $form = ['content-type' => 'multipart/form-data; boundary=x'] + Deliveries::headers();
            self::assertStringContainsString('php://input', (string) $post('/webhooks', "--x--\r\n", $form)->getBody());
        } finally {
            proc_terminate($server);
            proc_close($server);
            unlink($log);
        }
    }

    public function testSymfony(): void
    {
        $events = [];
        $store = static function (Event $event) use (&$events): void {
            $events[] = $event;
        };
        self::assertSame(204, self::inSymfony($store, Deliveries::PING)->getStatusCode());
        self::assertEquals([new PingEvent('msg_1', 'ping', '2026-11-21T10:00:00.000Z', 'whe_1')], $events);
        $forged = self::inSymfony($store, Deliveries::forged());
        self::assertSame(400, $forged->getStatusCode());
        self::assertStringContainsString('signature does not match', (string) $forged->getContent());
        $this->assertOneLineIsLogged();
        self::assertCount(1, $events);
        self::assertSame(413, self::inSymfony($store, Deliveries::large())->getStatusCode());
        self::assertCount(1, $events);
        $failed = self::inSymfony(static fn () => throw new \RuntimeException('password hunter2'), Deliveries::PING);
        self::assertSame(500, $failed->getStatusCode());
        self::assertStringNotContainsString('hunter2', (string) $failed->getContent());
    }

    public function testSymfonyNamesWhatConsumedTheBody(): void
    {
        $server = ['CONTENT_LENGTH' => (string) strlen(Deliveries::PING)] + Deliveries::server();
        $request = Request::create('/webhooks', 'POST', server: $server, content: '');
        $response = (new SymfonyWebhook(Deliveries::webhook(), static fn () => null))->answer($request, static fn () => null);
        self::assertSame(400, $response->getStatusCode());
        self::assertStringContainsString('getContent(true)', (string) $response->getContent());
    }

    public function testLaravel(): void
    {
        $events = [];
        $store = static function (LaravelRequest $request) use (&$events): Response {
            $events[] = VerifyTuaWebhook::event($request);
            return new Response('', 204);
        };
        self::assertSame(204, self::inLaravel($store, Deliveries::PING)->getStatusCode());
        self::assertEquals([new PingEvent('msg_1', 'ping', '2026-11-21T10:00:00.000Z', 'whe_1')], $events);
        $forged = self::inLaravel($store, Deliveries::forged());
        self::assertSame(400, $forged->getStatusCode());
        self::assertStringContainsString('signature does not match', (string) $forged->getContent());
        $this->assertOneLineIsLogged();
        self::assertCount(1, $events);
        self::assertSame(413, self::inLaravel($store, Deliveries::large())->getStatusCode());
        self::assertCount(1, $events);
        // Laravel itself answers what a controller throws.
        $this->expectExceptionMessage('the database is down');
        self::inLaravel(static fn () => throw new \RuntimeException('the database is down'), Deliveries::PING);
    }

    public function testLaravelMakesTheMiddlewareWithTheWebhookThatIsBound(): void
    {
        $container = new Container();
        $container->singleton(Webhook::class, static fn (): Webhook => Deliveries::webhook());
        $controller = static fn (LaravelRequest $request): Response => new Response(VerifyTuaWebhook::event($request)->type);
        self::assertSame('ping', self::inLaravel($controller, Deliveries::PING, $container)->getContent());
    }

    public function testLaravelNamesWhyThereIsNoEvent(): void
    {
        $this->expectExceptionMessage('or this is not the request that the middleware handled');
        self::inLaravel(static fn () => VerifyTuaWebhook::event(LaravelRequest::create('/webhooks', 'POST')), Deliveries::PING);
    }

    private static function inSymfony(callable $handler, string $body): Response
    {
        $webhook = new SymfonyWebhook(Deliveries::webhook(), self::$log);
        $request = Request::create('/webhooks', 'POST', server: Deliveries::server(), content: $body);
        $request->attributes->set('_controller', static fn (Request $request): Response => $webhook->answer($request, $handler));
        $kernel = new HttpKernel(new EventDispatcher(), new ControllerResolver(), new RequestStack(), new ArgumentResolver());
        return $kernel->handle($request);
    }

    private static function inLaravel(callable $controller, string $body, ?Container $container = null): Response
    {
        if ($container === null) {
            $container = new Container();
            $container->instance(VerifyTuaWebhook::class, new VerifyTuaWebhook(Deliveries::webhook(), self::$log));
        }
        $router = new Router(new Dispatcher($container), $container);
        $router->post('/webhooks', $controller)->middleware(VerifyTuaWebhook::class);
        $request = Request::create('/webhooks', 'POST', server: Deliveries::server(), content: $body);
        $received = LaravelRequest::createFromBase($request);
        // As the kernel of Laravel does.
        $container->instance(LaravelRequest::class, $received);
        return $router->dispatch($received);
    }

    private static function waitForServer(string $address): void
    {
        for ($attempt = 0; $attempt < 100; $attempt++) {
            $socket = @stream_socket_client("tcp://{$address}", timeout: 1);
            if ($socket !== false) {
                fclose($socket);
                return;
            }
            usleep(50_000);
        }
        self::fail('the server of PHP does not start');
    }
}
