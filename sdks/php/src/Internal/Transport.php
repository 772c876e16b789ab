<?php

declare(strict_types=1);

namespace Tua\Internal;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Tua\Exception\ApiException;
use Tua\Exception\RequestException;
use Tua\Exception\TuaException;
use Tua\Exception\UsageException;
use Tua\Model\Status;
use Tua\Tua;

/**
 * Sends requests, and waits for outcomes.
 *
 * @internal
 */
final class Transport
{
    /**
     * Refusals that come before the service reads the Idempotency-Key. They are no answer about an earlier attempt, nor
     * about an earlier call with the same key, which the caller may have made.
     */
    private const BEFORE_THE_KEY = [401, 403, 408, 413, 429, 503];
    /** CURLE_COULDNT_RESOLVE_HOST and CURLE_COULDNT_CONNECT: nothing was sent. */
    private const NEVER_SENT = [6, 7];
    /** The longest wait of one long poll that the service takes, in seconds. */
    private const LONGEST_POLL = 30;
    /** A service that cannot hold a poll answers at once, so the next poll is sent after this interval, in seconds. */
    public const SHORTEST_INTERVAL = 1.0;

    public function __construct(
        public readonly Config $config,
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    /**
     * Sends a request until it has a result, its attempts are used up, or its time is over.
     *
     * @template T of object
     *
     * @param Operation<T> $operation
     *
     * @return T
     */
    public function send(Operation $operation, ?string $idempotencyKey = null, ?float $totalTimeout = null): object
    {
        $value = $this->exchange($operation, $idempotencyKey, $totalTimeout, $this->config->maxRetries)->value;
        assert($value !== null);
        return $value;
    }

    /**
     * Sends a request that is not repeated.
     *
     * @template T of object
     *
     * @param Operation<T> $operation
     *
     * @return T
     */
    public function sendOnce(Operation $operation, float $timeout): object
    {
        $value = $this->exchange($operation, null, $timeout, 0)->value;
        assert($value !== null);
        return $value;
    }

    /**
     * Asks by long poll until a transaction or refund is final, or the time is over: then it returns what was last seen,
     * which is pending. A poll without a response is repeated. It throws where nothing was seen at all.
     *
     * @template T of \Tua\Model\Transaction|\Tua\Model\Refund
     *
     * @param Operation<T> $operation
     *
     * @return T
     */
    public function wait(Operation $operation, float $timeout): object
    {
        $deadline = Backoff::now() + $timeout;
        $seen = null;
        $etag = null;
        $failures = 0;
        while (true) {
            $asked = Backoff::now();
            $left = max(0.0, $deadline - $asked);
            $seconds = $this->limitPoll((int) $left);
            $poll = $operation->poll($seconds, $etag, $seconds + $this->config->timeout);
            try {
                $result = $this->exchange($poll, null, $left + $this->config->timeout, 0);
                $failures = 0;
                if ($result->value !== null) {
                    $seen = $result->value;
                    $etag = $result->etag;
                }
                if ($seen !== null && $seen->status !== Status::Pending) {
                    return $seen;
                }
                $pause = max(0.0, self::SHORTEST_INTERVAL - (Backoff::now() - $asked));
            } catch (RequestException $error) {
                if (!self::isTransient($error)) {
                    throw $error;
                }
                $pause = Backoff::delay($failures++, $error instanceof ApiException ? $error->retryAfter : null);
                if ($seen === null && Backoff::now() + $pause >= $deadline) {
                    throw $error;
                }
            }
            if ($seen !== null && Backoff::now() + $pause >= $deadline) {
                return $seen;
            }
            Backoff::sleep($pause);
        }
    }

    /**
     * @template T of object
     *
     * @param Operation<T> $operation
     *
     * @return Result<T>
     */
    private function exchange(Operation $operation, ?string $idempotencyKey, ?float $totalTimeout, int $maxRetries): Result
    {
        $deadline = Backoff::now() + ($totalTimeout ?? $this->config->totalTimeout);
        $key = $operation->repetition === Repetition::Keyed ? self::readKey($idempotencyKey) : null;
        $mayHaveBegun = $key !== null && $idempotencyKey !== null;
        for ($attempt = 0; ; $attempt++) {
            $timeout = max(0.001, min($operation->timeout ?? $this->config->timeout, $deadline - Backoff::now()));
            $result = $this->attempt($operation, $key, $timeout);
            if ($result instanceof Result) {
                return $result;
            }
            // A thing that is removed is not found by the request that removes it again.
            $isAfterRemoval = $operation->repetition === Repetition::Repeatable && $result->status === 404;
            $isNoAnswer = $isAfterRemoval || in_array($result->status, self::BEFORE_THE_KEY, true);
            $isUnknown = $result->isAmbiguous || ($mayHaveBegun && $isNoAnswer);
            $mayHaveBegun = $mayHaveBegun || $result->isAmbiguous;
            $delay = Backoff::delay($attempt, $result->retryAfter);
            $isRetried = $result->isRetried && !($operation->repetition === Repetition::Once && $result->isAmbiguous);
            if (!$isRetried || $attempt >= $maxRetries || Backoff::now() + $delay >= $deadline) {
                throw ($result->error)($isUnknown, $key);
            }
            Backoff::sleep($delay);
        }
    }

    /**
     * @template T of object
     *
     * @param Operation<T> $operation
     *
     * @return Result<T>|Failure
     */
    private function attempt(Operation $operation, ?string $key, float $timeout): Result|Failure
    {
        try {
            $response = $this->perform($this->request($operation, $key), $timeout, $operation->repetition);
            return Interpreter::read($operation, $response, (string) $response->getBody());
        } catch (TuaException $error) {
            throw $error;
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            // Its request has the key, so it is not passed on. Its message may have the address, with a phone number in it.
            $why = preg_replace('#(\s+\(see)?(\s+for)?\s*"?https?://\S+#', '', $error->getMessage());
            $isNeverSent = self::isNeverSent($error);
            return Interpreter::failedConnection($operation, $this->config->baseUrl, trim((string) $why), $isNeverSent);
        }
    }

    /** Whether no connection was made. Only Guzzle with cURL reports that. */
    private static function isNeverSent(\Throwable $error): bool
    {
        $context = $error instanceof \GuzzleHttp\Exception\ConnectException ? $error->getHandlerContext() : [];
        return in_array($context['errno'] ?? null, self::NEVER_SENT, true);
    }

    private function request(Operation $operation, ?string $key): RequestInterface
    {
        $query = $operation->query === [] ? '' : '?' . http_build_query($operation->query, '', '&', PHP_QUERY_RFC3986);
        $request = $this->requests->createRequest($operation->method, $this->config->baseUrl . $operation->path . $query)
            ->withHeader('accept', 'application/json')
            ->withHeader('user-agent', 'tua-php/' . Tua::VERSION)
            ->withHeader('x-api-key', $this->config->secretKey->reveal());
        foreach ($operation->headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($key !== null) {
            $request = $request->withHeader('idempotency-key', $key);
        }
        if ($operation->body !== null) {
            $request = $request->withHeader('content-type', 'application/json')
                ->withBody($this->streams->createStream($operation->body === [] ? '{}' : Json::encode($operation->body)));
        }
        return $request;
    }

    /** Guzzle takes the time of one request; another client has its own. */
    private function perform(RequestInterface $request, float $timeout, Repetition $repetition): ResponseInterface
    {
        if (!$this->client instanceof \GuzzleHttp\ClientInterface) {
            return $this->client->sendRequest($request);
        }
        $options = ['timeout' => $timeout, 'connect_timeout' => $timeout, 'allow_redirects' => false, 'http_errors' => false];
        if ($repetition === Repetition::Once && defined('CURLOPT_FRESH_CONNECT')) {
            // cURL itself sends a request again where a connection that it reuses was closed without a response.
            $options['curl'] = [CURLOPT_FRESH_CONNECT => true];
        }
        return $this->client->send($request, $options);
    }

    /** Another client than Guzzle ends a request after its own time, which `timeout` must name. */
    private function longestPoll(): float
    {
        return $this->client instanceof \GuzzleHttp\ClientInterface
            ? self::LONGEST_POLL
            : min(self::LONGEST_POLL, max(0.0, $this->config->timeout - 2));
    }

    /** Seconds of a long poll that should be this long, as far as the client allows it. */
    public function limitPoll(int $seconds): int
    {
        return (int) min($this->longestPoll(), $seconds);
    }

    private static function readKey(?string $key): string
    {
        if ($key === null) {
            return bin2hex(random_bytes(16));
        }
        if (preg_match('/\A[!-~]([ -~]{0,253}[!-~])?\z/', $key) !== 1) {
            throw new UsageException('An idempotencyKey has 1 to 255 printable ASCII characters.');
        }
        return $key;
    }

    /** Whether the same request may have a result later: a broken connection, 408, 429, 5xx. */
    public static function isTransient(RequestException $error): bool
    {
        return !$error instanceof ApiException || $error->status >= 500 || in_array($error->status, [408, 429], true);
    }
}
