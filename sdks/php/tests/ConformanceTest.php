<?php

declare(strict_types=1);

namespace Tua\Tests;

use PHPUnit\Framework\TestCase;
use Tua\Event\Event;
use Tua\Event\UnknownEvent;
use Tua\Exception\ApiException;
use Tua\Exception\ConnectionException;
use Tua\Exception\Fault;
use Tua\Exception\TuaException;
use Tua\Exception\UnexpectedResponseException;
use Tua\Exception\UsageException;
use Tua\Exception\WebhookException;
use Tua\Model\Checkout;
use Tua\Model\Model;
use Tua\Model\Refund;
use Tua\Model\WebhookEndpoint;
use Tua\Pages;
use Tua\Tua;
use Tua\Webhook;

/** The cases of sdks/conformance. */
final class ConformanceTest extends TestCase
{
    private const KEY = 'tua_test_v2_conformance';
    private const KINDS = [
        'api' => ApiException::class,
        'connection' => ConnectionException::class,
        'unexpected' => UnexpectedResponseException::class,
        'usage' => UsageException::class,
    ];
    private const TAKES_VALUES = ['get', 'getBatch', 'cancel', 'close', 'wait', 'disable', 'remove', 'rotate', 'enable', 'advanceClock'];

    private static ?Program $server = null;
    private static ?Program $service = null;

    public static function setUpBeforeClass(): void
    {
        self::$server = Program::node('server.mjs');
        self::$service = getenv('TUA_BIN') === false ? null : Program::node('service.mjs');
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->stop();
        self::$service?->stop();
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    public static function cases(): iterable
    {
        return self::read('cases.json');
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    public static function serviceCases(): iterable
    {
        return self::read('service-cases.json');
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    public static function vectors(): iterable
    {
        return self::read('webhooks.json');
    }

    /**
     * @dataProvider cases
     *
     * @param array<string, mixed> $case
     */
    public function testCase(array $case): void
    {
        $this->play($case, self::$server?->line . '/php/' . rawurlencode($case['name']));
    }

    /**
     * @dataProvider serviceCases
     *
     * @param array<string, mixed> $case
     */
    public function testCaseWithTheRealService(array $case): void
    {
        if (self::$service === null) {
            self::markTestSkipped('TUA_BIN is not set');
        }
        $base = json_decode(self::$service->line, true)['casesUrl'] . '/php/' . rawurlencode($case['name']);
        $this->play(json_decode((string) file_get_contents("{$base}/begin"), true), $base);
    }

    /** @param array<string, mixed> $case */
    private function play(array $case, string $base): void
    {
        $begun = hrtime(true);
        try {
            $this->check($case, self::call($case, "{$base}/v1"), null);
        } catch (TuaException $error) {
            $this->check($case, null, $error);
        }
        $elapsed = (hrtime(true) - $begun) / 1e6;
        [$least, $most] = $case['expect']['elapsedMs'] ?? [0, 20_000];
        self::assertTrue($elapsed >= $least && $elapsed <= $most, "it took {$elapsed} ms");
        self::assertSame('{"problems":[]}', file_get_contents("{$base}/verify"));
    }

    /**
     * @dataProvider vectors
     *
     * @param array<string, mixed> $vector
     */
    public function testWebhook(array $vector): void
    {
        $expect = $vector['expect'];
        try {
            $event = (new Webhook($vector['secrets']))->verify($vector['body'], $vector['headers'], $vector['now']);
        } catch (WebhookException $error) {
            self::assertSame($expect['error'] ?? null, $error->errorCode);
            return;
        }
        self::assertArrayNotHasKey('error', $expect);
        self::assertSame($expect['event']['id'], $event->id);
        self::assertSame($expect['event']['originalType'] ?? $expect['event']['type'], $event->type);
        self::assertSame($expect['event']['type'] === 'unknown', $event instanceof UnknownEvent);
    }

    /** @return iterable<string, array{array<string, mixed>}> */
    private static function read(string $name): iterable
    {
        $items = json_decode((string) file_get_contents(Program::FOLDER . $name), true, flags: JSON_THROW_ON_ERROR);
        foreach ($items as $item) {
            yield $item['name'] => [$item];
        }
    }

    /** @param array<string, mixed> $case */
    private static function call(array $case, string $baseUrl): mixed
    {
        [$resource, $method] = explode('.', $case['call']);
        $options = $case['options'] ?? [];
        $named = isset($options['timeoutMs']) ? ['timeout' => $options['timeoutMs'] / 1000] : $options;
        $args = $case['args'];
        if ($method === 'list') {
            $named += ['pageSize' => $args['pageSize'] ?? null];
            unset($args['pageSize']);
        }
        $positional = match (true) {
            $resource === 'networks', "{$resource}.{$method}" === 'webhookEndpoints.list' => [],
            in_array($method, self::TAKES_VALUES, true) => array_values($args),
            $method === 'follow' => [],
            default => [$args],
        };
        if ($method === 'follow') {
            $filter = array_flip(['type', 'transactionId']);
            $named += ['filter' => array_intersect_key($args, $filter)] + array_diff_key($args, $filter + ['take' => null]);
        }
        $result = self::client($case, $baseUrl)->{$resource}->{$method}(...$positional, ...$named);
        if ($result instanceof \Generator) {
            return ['ids' => self::take($result, $args['take'])];
        }
        if (!$result instanceof Pages) {
            return self::plain($result);
        }
        $id = static fn (Model|Event $item): string => match (true) {
            $item instanceof Event => $item->id,
            $item instanceof WebhookEndpoint => $item->endpointId,
            $item instanceof Refund => $item->refundId,
            $item instanceof Checkout => $item->checkoutId,
            default => $item->transactionId,
        };
        return ['ids' => array_map($id, iterator_to_array($result, false))];
    }

    /**
     * The ids of the first events.
     *
     * @param \Generator<int, Event> $events
     *
     * @return list<string>
     */
    private static function take(\Generator $events, int $count): array
    {
        $ids = [];
        foreach ($events as $event) {
            $ids[] = $event->id;
            if (count($ids) === $count) {
                break;
            }
        }
        return $ids;
    }

    /** @param array<string, mixed> $case */
    private static function client(array $case, string $baseUrl): Tua
    {
        $given = ['secretKey' => $case['secretKey'] ?? self::KEY, 'baseUrl' => $baseUrl];
        foreach ($case['client'] ?? [] as $name => $value) {
            $isTime = str_ends_with($name, 'Ms');
            $given[$isTime ? substr($name, 0, -2) : $name] = $isTime ? $value / 1000 : $value;
        }
        return new Tua(...$given);
    }

    /** A result as the case describes it. */
    private static function plain(mixed $value): mixed
    {
        return match (true) {
            $value instanceof \BackedEnum => $value->value,
            $value instanceof Model, $value instanceof Event => array_map(self::plain(...), get_object_vars($value)),
            is_array($value) => array_map(self::plain(...), $value),
            default => $value,
        };
    }

    /** @param array<string, mixed> $case */
    private function check(array $case, mixed $value, ?TuaException $error): void
    {
        $expect = $case['expect'];
        if (!isset($expect['error'])) {
            if ($error !== null) {
                throw $error;
            }
            self::assertMembers($value, $expect['value']);
            return;
        }
        self::assertNotNull($error, 'there is no error, but ' . json_encode($value));
        ['kind' => $kind] = $members = $expect['error'];
        self::assertInstanceOf(self::KINDS[$kind], $error);
        self::assertStringNotContainsString($case['secretKey'] ?? self::KEY, print_r($error, true));
        self::assertStringNotContainsString($case['args']['phoneNumber'] ?? 'no phone number', $error->getMessage());
        if (isset($members['pointers'])) {
            $pointers = array_map(static fn (Fault $fault): string => $fault->pointer, $error->errors);
            self::assertSame($members['pointers'], $pointers);
        }
        if (isset($members['keyed'])) {
            self::assertGreaterThanOrEqual(16, strlen((string) $error->idempotencyKey));
        }
        foreach (array_diff_key($members, array_flip(['kind', 'pointers', 'keyed'])) as $name => $member) {
            self::assertEquals($member, $error->{$name === 'code' ? 'errorCode' : $name}, $name);
        }
    }

    /** The value has these members; it may have more. */
    private static function assertMembers(mixed $value, array $members): void
    {
        foreach ($members as $name => $member) {
            if (is_array($member) && !array_is_list($member)) {
                self::assertMembers($value[$name], $member);
            } else {
                self::assertSame($member, $value[$name], (string) $name);
            }
        }
    }
}
