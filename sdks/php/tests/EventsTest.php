<?php

declare(strict_types=1);

namespace Tua\Tests;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Handler\MockHandler;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use GuzzleHttp\Psr7\Request;
use GuzzleHttp\Psr7\Response;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Tua\Event\UnknownEvent;
use Tua\Exception\ConnectionException;
use Tua\Testing\SignedDelivery;
use Tua\Tua;

/** Following events, requests that are not repeated blindly, and secrets of webhook endpoints. */
final class EventsTest extends TestCase
{
    /** @var list<RequestInterface> */
    private array $requests = [];

    public function testACallbackEndsItBetweenTwoEventsOfAResponse(): void
    {
        $seen = [];
        $tua = $this->client(self::page('msg_1', 'msg_2'));
        foreach ($tua->events->follow(stop: static function () use (&$seen): bool { return $seen !== []; }) as $event) {
            $seen[] = $event->id;
        }
        self::assertSame(['msg_1'], $seen);
        self::assertCount(1, $this->requests);
    }

    public function testACallbackEndsItBeforeTheNextRequest(): void
    {
        $seen = [];
        $tua = $this->client(self::page('msg_1', 'msg_2'));
        foreach ($tua->events->follow(stop: static function () use (&$seen): bool { return count($seen) === 2; }) as $event) {
            $seen[] = $event->id;
        }
        self::assertSame(['msg_1', 'msg_2'], $seen);
        self::assertCount(1, $this->requests);
    }

    public function testAnotherClientThanGuzzleIsAskedToWaitForLessThanItsTime(): void
    {
        $client = new class (self::page('msg_1')) implements ClientInterface {
            /** @var list<string> */
            public array $queries = [];

            public function __construct(private readonly Response $response)
            {
            }

            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                $this->queries[] = $request->getUri()->getQuery();
                return $this->response;
            }
        };
        $tua = new Tua('tua_test_v2_events', 'https://pay.example/v1', timeout: 5.0, httpClient: $client);
        self::assertSame('msg_1', $tua->events->follow()->current()->id);
        self::assertSame(['after=&wait=3'], $client->queries);
    }

    public function testAnEventWithoutDataIsAnUnknownOne(): void
    {
        $recorded = ['eventId' => 'msg_1', 'data' => null] + SignedDelivery::exampleEvent('charge.successful');
        [$event] = iterator_to_array($this->client(self::json(['data' => [$recorded], 'nextCursor' => null]))->events->list());
        self::assertInstanceOf(UnknownEvent::class, $event);
        self::assertSame(['msg_1', 'charge.successful', null], [$event->id, $event->type, $event->data]);
    }

    public function testTypesAreSentAsOneParameter(): void
    {
        $filter = ['type' => ['charge.failed', 'refund.failed'], 'from' => '2026-11-01T00:00:00Z'];
        iterator_to_array($this->client(self::page())->events->list($filter));
        $query = $this->requests[0]->getUri()->getQuery();
        self::assertSame('type=charge.failed%2Crefund.failed&from=2026-11-01T00%3A00%3A00Z', $query);
    }

    /** @return iterable<string, array{\Closure(Tua): object}> */
    public static function callsThatAreSentOnce(): iterable
    {
        yield 'a rotation' => [static fn (Tua $tua): object => $tua->webhookEndpoints->rotate('whe_1')];
        yield 'an advance of the clock' => [static fn (Tua $tua): object => $tua->sandbox->advanceClock(60)];
    }

    /**
     * @dataProvider callsThatAreSentOnce
     *
     * @param \Closure(Tua): object $call
     */
    public function testARequestIsRepeatedWhereNoConnectionIsMade(\Closure $call): void
    {
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($listener, false);
        fclose($listener);
        $handler = HandlerStack::create();
        $handler->push(Middleware::tap(function (RequestInterface $request): void {
            $this->requests[] = $request;
        }));
        $client = new Client(['handler' => $handler]);
        $error = self::failure($call, new Tua('tua_test_v2_events', "http://{$address}/v1", maxRetries: 2, httpClient: $client));
        self::assertFalse($error->outcomeUnknown);
        self::assertStringContainsString("no connection to http://{$address}/v1 (cURL error 7: ", $error->getMessage());
        self::assertStringNotContainsString('(see', $error->getMessage());
        self::assertStringEndsWith('). Does the service run there?', $error->getMessage());
        self::assertCount(3, $this->requests);
    }

    public function testTheNumberOfCurlDecidesWhetherARequestWasSent(): void
    {
        // Not resolved, not connected, too late, and a connection without a response.
        foreach ([6 => false, 7 => false, 28 => true, 52 => true] as $number => $isUnknown) {
            $request = new Request('POST', 'https://pay.example/v1');
            $tua = $this->client(new ConnectException('failed', $request, null, ['errno' => $number]));
            $error = self::failure(static fn (Tua $tua): object => $tua->sandbox->advanceClock(60), $tua);
            self::assertSame($isUnknown, $error->outcomeUnknown, "the number {$number}");
        }
    }

    public function testCurlDoesNotRepeatARequestThatIsSentOnce(): void
    {
        $due = array_fill_keys(['checkouts', 'links', 'approvals', 'payments', 'delayed', 'deliveries'], 0);
        $mock = new MockHandler([self::json(['seconds' => 60, 'due' => $due])]);
        $client = new Client(['handler' => HandlerStack::create($mock)]);
        $tua = new Tua('tua_test_v2_events', 'https://pay.example/v1', httpClient: $client);
        self::assertSame(60, $tua->sandbox->advanceClock(60)->seconds);
        self::assertSame([CURLOPT_FRESH_CONNECT => true], $mock->getLastOptions()['curl']);
    }

    public function testTheSecretOfAnEndpointIsHidden(): void
    {
        $secret = 'whsec_' . base64_encode(str_repeat('s', 32));
        $members = ['url' => 'https://shop.example/', 'mode' => 'test', 'status' => 'ENABLED', 'createdAt' => '2026-11-21T10:00:00.000Z'];
        $endpoint = $this->client(self::json(['endpointId' => 'whe_1', 'secret' => $secret] + $members))
            ->webhookEndpoints->create(['url' => 'https://shop.example/']);
        self::assertSame($secret, $endpoint->secret);
        self::assertStringNotContainsString($secret, print_r($endpoint, true));
    }

    /** A client whose requests get these responses, one after the other, and are kept. */
    private function client(Response|ConnectException ...$responses): Tua
    {
        $handler = HandlerStack::create(new MockHandler(array_values($responses)));
        $handler->push(Middleware::tap(function (RequestInterface $request): void {
            $this->requests[] = $request;
        }));
        $client = new Client(['handler' => $handler]);
        return new Tua('tua_test_v2_events', 'https://pay.example/v1', maxRetries: 0, httpClient: $client);
    }

    /** @param \Closure(Tua): object $call */
    private static function failure(\Closure $call, Tua $tua): ConnectionException
    {
        try {
            $call($tua);
        } catch (ConnectionException $error) {
            return $error;
        }
        self::fail('there is no exception');
    }

    private static function page(string ...$ids): Response
    {
        $event = SignedDelivery::exampleEvent('charge.successful');
        $data = array_map(static fn (string $id): array => ['eventId' => $id] + $event, array_values($ids));
        return self::json(['data' => $data, 'nextCursor' => null]);
    }

    /** @param array<string, mixed> $body */
    private static function json(array $body): Response
    {
        return new Response(200, ['content-type' => 'application/json'], json_encode($body, JSON_THROW_ON_ERROR));
    }
}
