<?php

declare(strict_types=1);

namespace Tua;

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Tua\Exception\UsageException;
use Tua\Internal\Config;
use Tua\Internal\Transport;
use Tua\Resource\Charges;
use Tua\Resource\Checkouts;
use Tua\Resource\Events;
use Tua\Resource\Links;
use Tua\Resource\Networks;
use Tua\Resource\Payouts;
use Tua\Resource\Quotes;
use Tua\Resource\Refunds;
use Tua\Resource\Sandbox;
use Tua\Resource\Transactions;
use Tua\Resource\WebhookEndpoints;

/** A client of one service with one secret key. */
final class Tua
{
    /** The version of this package, which is that of the service it was made with. */
    public const VERSION = '0.1.0';

    /** The API root, without a slash at its end. */
    public readonly string $baseUrl;
    public readonly Charges $charges;
    public readonly Payouts $payouts;
    public readonly Refunds $refunds;
    public readonly Transactions $transactions;
    public readonly Checkouts $checkouts;
    public readonly Links $links;
    public readonly Networks $networks;
    public readonly Quotes $quotes;
    public readonly Events $events;
    public readonly WebhookEndpoints $webhookEndpoints;
    public readonly Sandbox $sandbox;

    /**
     * @param string|false|null $secretKey The key tua_test_v2_… or tua_live_v2_…. False, as `getenv` returns it, and null are
     *     refused with the name of the variable to set.
     * @param string|false|null $baseUrl The API root, such as https://pay.example/v1.
     * @param float $timeout Seconds for one attempt. Guzzle applies it; for another client, pass that client's own limit.
     * @param float $totalTimeout Seconds for a call with all its attempts.
     * @param int $maxRetries How many times a failed attempt is repeated.
     * @param ClientInterface|null $httpClient Guzzle where it is null. Another client must not follow redirects.
     */
    public function __construct(
        #[\SensitiveParameter] string|false|null $secretKey,
        string|false|null $baseUrl,
        float $timeout = 10.0,
        float $totalTimeout = 60.0,
        int $maxRetries = 3,
        ?ClientInterface $httpClient = null,
        ?RequestFactoryInterface $requestFactory = null,
        ?StreamFactoryInterface $streamFactory = null,
    ) {
        $config = new Config((string) $secretKey, (string) $baseUrl, $timeout, $totalTimeout, $maxRetries);
        $transport = new Transport(
            $config,
            $httpClient ?? self::guzzle(Client::class),
            $requestFactory ?? self::guzzle(HttpFactory::class),
            $streamFactory ?? self::guzzle(HttpFactory::class),
        );
        $this->baseUrl = $config->baseUrl;
        $this->charges = new Charges($transport);
        $this->payouts = new Payouts($transport);
        $this->refunds = new Refunds($transport);
        $this->transactions = new Transactions($transport);
        $this->checkouts = new Checkouts($transport);
        $this->links = new Links($transport);
        $this->networks = new Networks($transport);
        $this->quotes = new Quotes($transport);
        $this->events = new Events($transport);
        $this->webhookEndpoints = new WebhookEndpoints($transport);
        $this->sandbox = new Sandbox($transport);
    }

    /**
     * @template T of object
     *
     * @param class-string<T> $class
     *
     * @return T
     */
    private static function guzzle(string $class): object
    {
        if (!class_exists($class)) {
            throw new UsageException('Install guzzlehttp/guzzle, or pass httpClient, requestFactory and streamFactory.');
        }
        return new $class();
    }
}
