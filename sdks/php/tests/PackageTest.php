<?php

declare(strict_types=1);

namespace Tua\Tests;

use GuzzleHttp\Psr7\Response;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Tua\Amount;
use Tua\Exception\ApiException;
use Tua\Exception\Problem;
use Tua\Exception\UsageException;
use Tua\Model\OpenedCheckout;
use Tua\Model\Status;
use Tua\Model\Transaction;
use Tua\Tua;
use Tua\Webhook;

/** Secrets, amounts, the three outcomes, and the package as Composer installs it. */
final class PackageTest extends TestCase
{
    private const KEY = 'tua_live_v2_topsecret';

    public function testAClientShowsNoKey(): void
    {
        $tua = new Tua(self::KEY, 'https://pay.example/v1');
        self::assertStringNotContainsString('topsecret', self::shown($tua));
    }

    public function testAWebhookShowsNoSecret(): void
    {
        $secret = base64_encode(str_repeat('s', 32));
        $shown = self::shown(new Webhook("whsec_{$secret}"));
        self::assertStringNotContainsString($secret, $shown);
        self::assertStringNotContainsString(str_repeat('s', 32), $shown);
    }

    public function testARefusalShowsNoSecret(): void
    {
        $refusals = [
            static fn () => new Tua(self::KEY, 'http://pay.example/v1'),
            static fn () => new Tua(self::KEY . ' ', 'https://pay.example/v1'),
            static fn () => new Webhook('whsec_ topsecret'),
        ];
        foreach ($refusals as $refusal) {
            try {
                $refusal();
                self::fail('it was accepted');
            } catch (UsageException $error) {
                self::assertStringNotContainsString('topsecret', $error->getMessage());
            }
        }
    }

    public function testAnAddressWithoutV1IsCorrected(): void
    {
        $corrections = [
            'http://127.0.0.1:9301' => 'http://127.0.0.1:9301/v1',
            'http://[::1]:9301/' => 'http://[::1]:9301/v1',
            'https://shop.example/tua' => 'https://shop.example/tua/v1',
            'https://pay.example/v1/charge' => 'https://pay.example/v1',
        ];
        foreach ($corrections as $wrong => $right) {
            $message = self::refusal(static fn () => new Tua(self::KEY, $wrong));
            self::assertSame("baseUrl must end with /v1: write {$right}", $message);
            self::assertSame($right, (new Tua('tua_test_v2_a', $right))->baseUrl);
        }
    }

    public function testAVariableThatIsNotSetIsNamed(): void
    {
        foreach ([getenv('TUA_IS_NOT_SET'), null, ''] as $empty) {
            $refusals = [
                'TUA_SECRET_KEY' => static fn () => new Tua($empty, 'https://pay.example/v1'),
                'TUA_API_URL' => static fn () => new Tua(self::KEY, $empty),
                'TUA_WEBHOOK_SECRET' => static fn () => new Webhook($empty),
            ];
            foreach ($refusals as $variable => $refusal) {
                self::assertStringContainsString("is empty: is {$variable} set for this process?", self::refusal($refusal));
            }
            $secret = 'whsec_' . base64_encode(str_repeat('s', 32));
            self::assertStringContainsString('TUA_WEBHOOK_SECRET', self::refusal(static fn () => new Webhook([$secret, $empty])));
        }
        self::assertStringContainsString('TUA_WEBHOOK_SECRET', self::refusal(static fn () => new Webhook([])));
    }

    public function testAnOpenedCheckoutHidesItsToken(): void
    {
        $opened = OpenedCheckout::fromArray([
            'checkoutId' => 'chk_1',
            'checkoutToken' => 'tua_checkout_topsecret',
            'expiresAt' => '2026-11-21T10:30:00.000Z',
            'reference' => 'order-17',
            'url' => 'https://pay.example/pay?key=tua_checkout_topsecret',
        ]);
        ob_start();
        var_dump($opened);
        self::assertStringNotContainsString('topsecret', ob_get_clean() . print_r($opened, true));
        self::assertSame('tua_checkout_topsecret', $opened->checkoutToken);
    }

    public function testALiveKeyGoesOverHttpToThisMachine(): void
    {
        foreach (['localhost', '127.0.0.1', '[::1]'] as $host) {
            self::assertInstanceOf(Tua::class, new Tua(self::KEY, "http://{$host}:8080/v1"));
        }
    }

    public function testAmountsAreExact(): void
    {
        for ($pesewas = 0; $pesewas <= 10_000; $pesewas++) {
            self::assertSame($pesewas, Amount::toPesewas(Amount::fromPesewas($pesewas)));
        }
        self::assertSame('1000000000.00', Amount::fromPesewas(100_000_000_000));
        self::assertSame(1050, Amount::toPesewas('10.5'));
        foreach ([0.5, 1, true, null, ['1'], '1_0', '-1', '0.001'] as $wrong) {
            try {
                Amount::check($wrong, 'amount');
                self::fail('it was accepted');
            } catch (UsageException $error) {
                self::assertStringContainsString('amount is', $error->getMessage());
            }
        }
    }

    public function testEveryStatusHasItsFunction(): void
    {
        $document = json_decode((string) file_get_contents(__DIR__ . '/../../../docs/openapi.json'), true);
        $example = $document['webhooks']['charge.successful']['post']['requestBody']['content']['application/json']['examples'];
        $data = reset($example)['value']['data'];
        foreach (Status::cases() as $status) {
            $transaction = Transaction::fromArray(['status' => $status->value] + $data);
            $name = static fn (string $name): \Closure => static fn (Transaction $decided): string => $name;
            $found = $transaction->decide(successful: $name('SUCCESSFUL'), failed: $name('FAILED'), pending: $name('PENDING'));
            self::assertSame($status->value, $found);
        }
    }

    public function testARefusalNamesItsFieldsAndIsShort(): void
    {
        $refusal = static function (string $detail, array ...$faults): string {
            $errors = array_map(static fn (array $fault): array => ['pointer' => $fault[0], 'code' => 'invalid', 'detail' => $fault[1]], $faults);
            return (string) Problem::read(['code' => 'validation_failed', 'detail' => $detail, 'errors' => $errors], 422)?->describe();
        };
        self::assertSame('No.', $refusal('No.'));
        self::assertSame('/reference: This must be a string.', $refusal('This must be a string.', ['/reference', 'This must be a string.']));
        $two = $refusal('2 fields.', ['/email', 'It is no address.'], ['/reference', 'This must be a string.']);
        self::assertSame('2 fields. /email: It is no address. /reference: This must be a string.', $two);
        $many = $refusal('Many.', ...array_map(static fn (int $place): array => ["/payouts/{$place}", str_repeat('é', 5_000)], range(0, 99)));
        self::assertMatchesRegularExpression('#/payouts/4: é+ And 95 more\.\z#u', $many);
        self::assertLessThan(1_300, mb_strlen($many));
        $problem = Problem::read(['code' => 'c', 'detail' => 'd', 'errors' => [['pointer' => '/a', 'detail' => 'd']]], 422);
        self::assertSame('c: /a: d', (new ApiException($problem, null, false, null))->getMessage());
    }

    public function testAnotherClientOfPsr18IsUsed(): void
    {
        $client = new class implements ClientInterface {
            /** @var list<RequestInterface> */
            public array $requests = [];

            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                $this->requests[] = $request;
                return new Response(200, ['content-type' => 'application/json'], '{"data": [], "nextCursor": null}');
            }
        };
        $tua = new Tua(self::KEY, 'https://pay.example/v1', httpClient: $client);
        self::assertSame([], iterator_to_array($tua->transactions->list(['reference' => 'a b'])));
        [$request] = $client->requests;
        self::assertSame('https://pay.example/v1/transactions?reference=a%20b', (string) $request->getUri());
        self::assertSame(self::KEY, $request->getHeaderLine('x-api-key'));
    }

    public function testThePackageIsThePackedOne(): void
    {
        $packed = getenv('TUA_PACKED');
        if ($packed === false) {
            self::markTestSkipped('TUA_PACKED is not set: see scripts/test-packed.php');
        }
        $folder = realpath("{$packed}/vendor/tua-pay/tua-php");
        self::assertStringStartsWith("{$folder}/src/", (string) (new \ReflectionClass(Tua::class))->getFileName());
        self::assertSame(['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'composer.json', 'src'], array_values(array_diff((array) scandir((string) $folder), ['.', '..'])));
    }

    /** The message of the UsageException that a call throws. */
    private static function refusal(callable $call): string
    {
        try {
            $call();
        } catch (UsageException $error) {
            return $error->getMessage();
        }
        self::fail('it was accepted');
    }

    private static function shown(object $object): string
    {
        ob_start();
        var_dump($object);
        var_export($object);
        print_r($object);
        return ob_get_clean() . json_encode($object) . print_r((array) $object, true);
    }
}
