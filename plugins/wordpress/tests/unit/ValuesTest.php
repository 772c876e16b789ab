<?php

declare(strict_types=1);

namespace TuaPayments\Tests;

use PHPUnit\Framework\TestCase;
use TuaPayments\Items\ItemForm;
use TuaPayments\Items\TypedAmount;
use TuaPayments\Log;
use TuaPayments\Settings\Mode;
use TuaPayments\Settings\SettingsForm;
use TuaPayments\Settings\Vault;

final class ValuesTest extends TestCase
{
    /** @dataProvider amounts */
    public function testReadsAmountsThatPeopleType(string $typed, ?string $amount): void
    {
        self::assertSame($amount, TypedAmount::read($typed));
    }

    /** @return iterable<string, array{string, string|null}> */
    public static function amounts(): iterable
    {
        $amounts = [
            '18' => '18.00', '18.5' => '18.50', '18,50' => '18.50', 'GHS 1,000.50' => '1000.50', '₵ 5' => '5.00', '1 000' => '1000.00', '007' => '7.00', '0.50' => '0.50',
            '1,000' => '1000.00', '0' => null, '0.00' => null, '-5' => null, '1.234' => null, '1.000,50' => null, '1e3' => null, 'ten' => null, '' => null, '5 USD' => null, '99999999999' => null,
        ];
        foreach ($amounts as $typed => $amount) {
            yield (string) $typed => [(string) $typed, $amount];
        }
    }

    public function testTheLogHasNoSecretsAndNoPayers(): void
    {
        $text = 'key tua_live_v2_AbC-12_x, whsec_abc+/=, tua_checkout_zz, ama@example.com, 0241234567 and +233241234567: request req_0241234567x';
        self::assertSame(
            'key tua_live_v2_…, whsec_…, tua_checkout_…, (e-mail), (phone) and (phone): request req_0241234567x',
            Log::withoutSecrets($text),
        );
    }

    public function testSealsSecrets(): void
    {
        $sealed = Vault::seal('tua_test_v2_abc');
        self::assertStringNotContainsString('abc', base64_decode($sealed));
        self::assertSame('tua_test_v2_abc', Vault::open($sealed));
        self::assertNull(Vault::open(substr($sealed, 0, -4) . 'AAAA'));
        self::assertNull(Vault::open(''));
    }

    public function testAKeyOfTheOtherModeIsRefused(): void
    {
        $form = new SettingsForm();
        $stored = $form->read([], ['mode' => 'live', 'service_url' => 'https://pay.example/v1/', 'live_secret_key' => 'tua_test_v2_abc', 'test_secret_key' => 'tua_test_v2_abc']);
        self::assertSame('https://pay.example', $stored['service_url']);
        self::assertArrayNotHasKey('live_secret_key', $stored);
        self::assertTrue(Mode::Test->fits((string) Vault::open($stored['test_secret_key'])));
        self::assertCount(1, $form->faults);
    }

    public function testALiveServiceIsSpokenToOverHttps(): void
    {
        $form = new SettingsForm();
        self::assertArrayNotHasKey('service_url', $form->read([], ['mode' => 'live', 'service_url' => 'http://pay.example']));
        self::assertCount(1, $form->faults);
    }

    public function testTheModeStaysWhereTheAddressIsRefused(): void
    {
        $stored = ['mode' => 'test', 'service_url' => 'http://pay.example'];
        self::assertSame($stored, array_intersect_key((new SettingsForm())->read($stored, ['mode' => 'live', 'service_url' => 'http://pay.example']), $stored));
        self::assertSame('live', (new SettingsForm())->read($stored, ['mode' => 'live', 'service_url' => 'https://pay.example'])['mode']);
    }

    public function testANewWebhookSecretKeepsTheOldOne(): void
    {
        $secrets = ['whsec_' . str_repeat('a', 32), 'whsec_' . str_repeat('b', 32)];
        $stored = [];
        foreach ($secrets as $secret) {
            $stored = (new SettingsForm())->read($stored, ['test_webhook_secret' => $secret]);
        }
        self::assertSame($secrets[1], Vault::open($stored['test_webhook_secret']));
        self::assertSame($secrets[0], Vault::open($stored['test_old_webhook_secret']));
        self::assertSame($stored, (new SettingsForm())->read($stored, ['test_webhook_secret' => '', 'service_url' => '']) + $stored);
    }

    public function testSomethingThatIsSoldNeedsAPrice(): void
    {
        $form = new ItemForm();
        self::assertSame('', $form->read(['kind' => 'sale', 'amount' => 'ten'])['amount']);
        self::assertCount(2, $form->faults);
        $donation = (new ItemForm())->read(['kind' => 'donation', 'min_amount' => '2', 'max_amount' => '1,000']);
        self::assertSame(['2.00', '1000.00'], [$donation['min_amount'], $donation['max_amount']]);
    }
}
