<?php

declare(strict_types=1);

namespace Tua\Tests;

use GuzzleHttp\Client;
use PHPUnit\Framework\TestCase;
use Tua\Amount;
use Tua\Event\TransactionEvent;
use Tua\Exception\ApiException;
use Tua\Exception\Fault;
use Tua\Model\CheckoutStatus;
use Tua\Model\Link;
use Tua\Model\NetworkServices;
use Tua\Model\Refund;
use Tua\Model\Status;
use Tua\Model\Transaction;
use Tua\Model\WebhookEndpoint;
use Tua\Tua;
use Tua\Webhook;

/** The package against the real service: TUA_BIN is its binary. */
final class ServiceTest extends TestCase
{
    private const WALLET = ['phoneNumber' => '0241234567', 'network' => 'MTN'];

    private static ?Program $program = null;
    /** @var array{baseUrl: string, faultyBaseUrl: string, secretKey: string, webhookSecret: string, deliveriesUrl: string} */
    private static array $service;
    private static Tua $tua;

    public static function setUpBeforeClass(): void
    {
        if (getenv('TUA_BIN') === false) {
            self::markTestSkipped('TUA_BIN is not set');
        }
        self::$program = Program::node('service.mjs');
        self::$service = json_decode(self::$program->line, true, flags: JSON_THROW_ON_ERROR);
        self::$tua = new Tua(self::$service['secretKey'], self::$service['baseUrl']);
    }

    public static function tearDownAfterClass(): void
    {
        self::$program?->stop();
    }

    public function testAChargeIsPaidAndAPartOfItIsRefunded(): void
    {
        $charge = self::$tua->charges->create(self::WALLET + ['amount' => '18.00', 'reference' => 'order-17']);
        self::assertSame([Status::Pending, 'APPROVE_ON_PHONE'], [$charge->status, $charge->nextAction]);
        $paid = self::$tua->transactions->wait($charge->transactionId);
        self::assertSame([Status::Successful, '18.00', 'order-17'], [$paid->status, $paid->amount, $paid->reference]);
        $refund = self::$tua->refunds->create(['transactionId' => $charge->transactionId, 'amount' => '4.20']);
        self::assertSame(Status::Successful, self::$tua->refunds->wait($refund->refundId)->status);
        $refunded = self::$tua->transactions->get($charge->transactionId);
        self::assertSame(['4.20', '13.80'], [$refunded->refundedAmount, $refunded->refundableAmount]);
        self::assertCount(1, iterator_to_array(self::$tua->refunds->list(['transactionId' => $charge->transactionId])));
    }

    public function testAChargeOfAPoorWalletFailsWithAReason(): void
    {
        $charge = self::$tua->charges->create(['amount' => '1.00', 'network' => 'MTN', 'phoneNumber' => '0241230001']);
        $ended = self::$tua->transactions->wait($charge->transactionId);
        self::assertSame([Status::Failed, 'insufficient_funds'], [$ended->status, $ended->failure?->code]);
    }

    public function testAChargeThatNobodyApprovesStaysPending(): void
    {
        $charge = self::$tua->charges->create(['amount' => '1.00', 'network' => 'MTN', 'phoneNumber' => '0241230007']);
        self::assertSame(Status::Pending, self::$tua->transactions->wait($charge->transactionId, 1.5)->status);
    }

    public function testAVoucherIsSubmitted(): void
    {
        $charge = self::$tua->charges->create(['amount' => '1.00', 'network' => 'TELECEL', 'phoneNumber' => '0201234567']);
        self::assertSame('ENTER_VOUCHER', $charge->nextAction);
        $wrong = self::$tua->charges->submitCode(['transactionId' => $charge->transactionId, 'otp' => '654321']);
        self::assertSame([Status::Pending, 4], [$wrong->status, $wrong->codeAttemptsLeft]);
        self::$tua->charges->submitCode(['transactionId' => $charge->transactionId, 'otp' => '123456']);
        self::assertSame(Status::Successful, self::$tua->transactions->wait($charge->transactionId)->status);
    }

    public function testTheSameKeyBeginsOnePayment(): void
    {
        $request = self::WALLET + ['amount' => '2.00', 'reference' => 'order-18'];
        $one = self::$tua->charges->create($request, 'order-18-1');
        $two = self::$tua->charges->create($request, 'order-18-1');
        self::assertSame($one->transactionId, $two->transactionId);
        $other = fn () => self::$tua->charges->create(['amount' => '3.00'] + $request, 'order-18-1');
        $refused = self::assertRefused('idempotency_key_reused', $other);
        self::assertTrue($refused->outcomeUnknown, 'the other request was accepted');
    }

    public function testLostResponsesBeginNothingTwice(): void
    {
        $faulty = new Tua(self::$service['secretKey'], self::$service['faultyBaseUrl']);
        $charge = $faulty->charges->create(self::WALLET + ['amount' => '2.00', 'reference' => 'lost-charge']);
        $payout = $faulty->payouts->create(self::WALLET + ['amount' => '2.00', 'reference' => 'lost-payout']);
        $id = static fn (Transaction $transaction): string => $transaction->transactionId;
        foreach ([$charge, $payout] as $begun) {
            $found = iterator_to_array(self::$tua->transactions->list(['reference' => $begun->reference]));
            self::assertSame([$begun->transactionId], array_map($id, $found));
        }
        self::assertSame(Status::Successful, $faulty->transactions->wait($charge->transactionId)->status);
        $refund = $faulty->refunds->create(['transactionId' => $charge->transactionId, 'amount' => '1.00']);
        $refunds = iterator_to_array(self::$tua->refunds->list(['transactionId' => $charge->transactionId]));
        self::assertSame([$refund->refundId], array_map(static fn (Refund $item): string => $item->refundId, $refunds));
    }

    public function testEveryAmountToOneCediIsQuotedAsItIsSent(): void
    {
        for ($pesewas = 1; $pesewas <= 100; $pesewas++) {
            $amount = Amount::fromPesewas($pesewas);
            self::assertSame($amount, self::$tua->quotes->create(['type' => 'CHARGE', 'amount' => $amount, 'network' => 'MTN'])->amount);
        }
    }

    public function testACheckoutIsOpenedPaidAndClosed(): void
    {
        $request = ['amount' => '10.50', 'email' => 'ama@example.com', 'metadata' => ['order' => 19]];
        $opened = self::$tua->checkouts->create($request);
        $headers = ['authorization' => "Bearer {$opened->checkoutToken}"];
        (new Client())->post(self::$service['baseUrl'] . '/charge', ['headers' => $headers, 'json' => self::WALLET]);
        $paid = self::$tua->checkouts->wait($opened->checkoutId);
        self::assertSame([CheckoutStatus::Paid, '10.50', ['order' => 19]], [$paid->status, $paid->amount, $paid->metadata]);
        $second = self::$tua->checkouts->create(['amount' => '1.00', 'email' => 'ama@example.com', 'metadata' => []]);
        self::assertSame(CheckoutStatus::Closed, self::$tua->checkouts->close($second->checkoutId)->status);
    }

    public function testPayoutsBatchesLinksAndNetworks(): void
    {
        $payout = self::$tua->payouts->create(self::WALLET + ['amount' => '5.00']);
        self::assertSame(Status::Successful, self::$tua->transactions->wait($payout->transactionId)->status);
        self::assertRefused('not_cancellable', fn () => self::$tua->payouts->cancel($payout->transactionId));
        $payouts = [self::WALLET + ['amount' => '0.29'], self::WALLET + ['amount' => '1.00', 'payeeNote' => 'November']];
        $batch = self::$tua->payouts->createBatch(['payouts' => $payouts]);
        self::assertSame(['1.29', 2], [$batch->total, $batch->count]);
        self::assertSame($batch->batchId, self::$tua->payouts->getBatch($batch->batchId)->batchId);
        $link = self::$tua->links->create(['title' => 'Adom choir: robe', 'amount' => '10.50']);
        self::assertSame('CLOSED', self::$tua->links->close($link->linkId)->status);
        self::assertSame('OPEN', self::$tua->links->reopen($link->linkId)->status);
        $ids = array_map(static fn (Link $item): string => $item->linkId, iterator_to_array(self::$tua->links->list()));
        self::assertContains($link->linkId, $ids);
        $networks = array_map(static fn (NetworkServices $network): string => $network->network, self::$tua->networks->get());
        self::assertSame(['MTN', 'TELECEL', 'AIRTELTIGO'], $networks);
    }

    public function testPagesAreReadToTheEnd(): void
    {
        $created = [];
        for ($number = 0; $number < 5; $number++) {
            $created[] = self::$tua->charges->create(self::WALLET + ['amount' => '1.00', 'reference' => 'many'])->transactionId;
        }
        $id = static fn (Transaction $transaction): string => $transaction->transactionId;
        $found = array_map($id, iterator_to_array(self::$tua->transactions->list(['reference' => 'many'], 2)));
        self::assertEqualsCanonicalizing($created, $found);
    }

    public function testFaultsAreReportedWithTheirPointers(): void
    {
        $error = self::assertRefused('validation_failed', fn () => self::$tua->charges->create(
            ['amount' => '0.00', 'network' => 'MTN', 'phoneNumber' => '123'],
        ));
        self::assertFalse($error->outcomeUnknown);
        self::assertNotNull($error->requestId);
        $pointers = array_map(static fn (Fault $fault): string => $fault->pointer, $error->errors);
        self::assertEqualsCanonicalizing(['/amount', '/phoneNumber'], $pointers);
    }

    public function testEventsAreListedReadAndFollowed(): void
    {
        $events = self::$tua->events;
        $events->list([], 1)->page(); // begins the record
        $charge = self::$tua->charges->create(self::WALLET + ['amount' => '2.00']);
        $filter = ['transactionId' => $charge->transactionId];
        $followed = [];
        foreach ($events->follow(filter: $filter, waitSeconds: 5) as $event) {
            $followed[] = $event;
            if ($event->type === 'charge.successful') {
                break;
            }
        }
        self::assertInstanceOf(TransactionEvent::class, $event);
        self::assertSame(['charge.pending', '2.00'], [$followed[0]->type, $event->data->amount]);
        self::assertEquals(array_reverse($followed), iterator_to_array($events->list($filter, 1)));
        self::assertEquals($followed[0], $events->get($followed[0]->id));
        self::assertEquals([$event], iterator_to_array($events->list($filter + ['type' => ['charge.successful']])));
        self::assertRefused('invalid_parameter', static fn () => $events->follow('msg_none')->current());
    }

    public function testAWebhookEndpointIsAddedRotatedDisabledEnabledAndRemoved(): void
    {
        $endpoints = self::$tua->webhookEndpoints;
        $faulty = (new Tua(self::$service['secretKey'], self::$service['faultyBaseUrl']))->webhookEndpoints;
        $added = $endpoints->create(['url' => 'http://127.0.0.1:9/hooks']);
        self::assertStringStartsWith('whsec_', (string) $added->secret);
        $again = $faulty->create(['url' => 'http://127.0.0.1:9/again']);
        self::assertNull($again->secret);
        $rotated = $endpoints->rotate($added->endpointId, 1);
        self::assertNotSame($added->secret, $rotated->secret);
        self::assertNotNull($rotated->oldSecretUntil);
        self::assertNotSame($rotated->secret, $endpoints->rotate($added->endpointId)->secret);
        self::assertSame('DISABLED', $endpoints->disable($added->endpointId)->status);
        $charge = self::$tua->charges->create(self::WALLET + ['amount' => '1.00']);
        self::$tua->transactions->wait($charge->transactionId);
        $enabled = $endpoints->enable($added->endpointId, resend: true);
        self::assertSame('ENABLED', $enabled->status);
        self::assertGreaterThanOrEqual(2, $enabled->recordedEvents);
        self::assertSame('REMOVED', $endpoints->remove($added->endpointId)->status);
        self::assertTrue(self::assertRefused('not_found', static fn () => $faulty->remove($again->endpointId))->outcomeUnknown);
        $id = static fn (WebhookEndpoint $endpoint): string => $endpoint->endpointId;
        $left = array_map($id, iterator_to_array($endpoints->list(1)));
        self::assertNotSame([], $left);
        self::assertSame([], array_intersect([$added->endpointId, $again->endpointId], $left));
    }

    public function testAnAdvanceOfTheClockEndsACheckout(): void
    {
        $opened = self::$tua->checkouts->create(['amount' => '1.00', 'email' => 'ama@example.com']);
        $advanced = self::$tua->sandbox->advanceClock(31 * 60);
        self::assertSame(1_860, $advanced->seconds);
        self::assertGreaterThanOrEqual(1, $advanced->due->checkouts);
        self::assertSame(CheckoutStatus::Expired, self::$tua->checkouts->wait($opened->checkoutId, 20)->status);
    }

    public function testItsWebhooksAreVerified(): void
    {
        $webhook = new Webhook(self::$service['webhookSecret']);
        $wanted = ['checkout.opened', 'checkout.paid', 'charge.successful', 'charge.failed', 'refund.successful'];
        $types = [];
        for ($attempt = 0; $attempt < 75 && array_diff($wanted, $types) !== []; $attempt++) {
            $deliveries = json_decode((string) file_get_contents(self::$service['deliveriesUrl']), true);
            $verify = static fn (array $delivery): string =>
                $webhook->verify((string) base64_decode($delivery['body'], true), $delivery['headers'])->type;
            $types = array_map($verify, $deliveries);
            usleep(200_000);
        }
        self::assertSame([], array_diff($wanted, $types));
    }

    private static function assertRefused(string $code, callable $call): ApiException
    {
        try {
            $call();
        } catch (ApiException $error) {
            self::assertSame($code, $error->errorCode);
            return $error;
        }
        self::fail('it was accepted');
    }
}
