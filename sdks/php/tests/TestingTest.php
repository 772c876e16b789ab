<?php

declare(strict_types=1);

namespace Tua\Tests;

use PHPUnit\Framework\TestCase;
use Tua\Event\CheckoutEvent;
use Tua\Exception\UsageException;
use Tua\Model\Status;
use Tua\Testing\RunningService;
use Tua\Testing\SignedDelivery;
use Tua\Tua;

/** What the package offers to the tests of a shop. */
final class TestingTest extends TestCase
{
    public function testAnExampleIsADeliveryThatIsVerified(): void
    {
        foreach (['checkout.paid', 'charge.failed', 'refund.successful', 'payout.reversed', 'ping'] as $type) {
            $delivery = SignedDelivery::of(Deliveries::secret(), $type);
            self::assertSame($type, Deliveries::webhook()->verify($delivery->body, $delivery->headers)->type);
        }
    }

    public function testABodyOfYourOwnIsSigned(): void
    {
        $paid = SignedDelivery::exampleEvent('checkout.paid');
        $paid['data']['reference'] = 'order-18';
        $delivery = SignedDelivery::of(Deliveries::secret(), $paid);
        $event = Deliveries::webhook()->verify($delivery->body, $delivery->headers);
        self::assertInstanceOf(CheckoutEvent::class, $event);
        self::assertSame('order-18', $event->data->reference);
        $this->expectException(UsageException::class);
        SignedDelivery::exampleEvent('checkout.sung');
    }

    public function testAProgramThatIsNotThereIsAnError(): void
    {
        $this->expectException(UsageException::class);
        RunningService::start('/no/such/program');
    }

    public function testAServiceIsStartedWithOneCall(): void
    {
        if (getenv('TUA_BIN') === false) {
            self::markTestSkipped('TUA_BIN is not set');
        }
        $service = RunningService::start();
        try {
            $tua = new Tua($service->secretKey, $service->baseUrl);
            $charge = $tua->charges->create(['amount' => '18.00', 'phoneNumber' => '0241234567', 'network' => 'MTN']);
            self::assertSame(Status::Successful, $tua->transactions->wait($charge->transactionId)->status);
            self::assertStringStartsWith('whsec_', $service->addWebhook('http://127.0.0.1:9/'));
        } finally {
            $service->stop();
        }
    }
}
