<?php

declare(strict_types=1);

namespace Tua\Internal;

use Psr\Http\Message\ResponseInterface;
use Tua\Exception\ApiException;
use Tua\Exception\ConnectionException;
use Tua\Exception\Problem;
use Tua\Exception\RequestException;
use Tua\Exception\UnexpectedResponseException;

/**
 * What a response means.
 *
 * @internal
 */
final class Interpreter
{
    private const RETRIED = [408, 429, 500, 502, 503, 504];

    /**
     * @template T of object
     *
     * @param Operation<T> $operation
     *
     * @return Result<T>|Failure
     */
    public static function read(Operation $operation, ResponseInterface $response, string $text): Result|Failure
    {
        $status = $response->getStatusCode();
        $etag = $response->hasHeader('etag') ? $response->getHeaderLine('etag') : null;
        if ($status === 304 && isset($operation->headers['if-none-match'])) {
            return new Result(null, $etag);
        }
        $body = Json::decodeObject($text);
        if ($status >= 200 && $status < 300) {
            $fault = $body === null ? "the response is not the service's JSON" : $operation->findFault($body);
            if ($fault !== null) {
                return self::unexpected($operation, $response, $fault, true);
            }
            try {
                return new Result(($operation->read)($body), $etag);
            } catch (\UnexpectedValueException $error) {
                return self::unexpected($operation, $response, $error->getMessage(), true);
            }
        }
        $problem = $body === null ? null : Problem::read($body, $status);
        if ($problem !== null) {
            return self::refused($operation, $response, $problem);
        }
        $what = $status < 400
            ? 'is a redirect; set baseUrl to the address of the service itself'
            : "is not the service's JSON";
        $isRetried = in_array($status, self::RETRIED, true);
        return self::unexpected($operation, $response, "the response with status {$status} {$what}", $isRetried);
    }

    /**
     * An attempt without a response. `$why` has no header, because those have the key. `$isNeverSent` means that no
     * connection was made.
     */
    public static function failedConnection(Operation $operation, string $baseUrl, string $why, bool $isNeverSent): Failure
    {
        $what = $isNeverSent
            ? "no connection to {$baseUrl} ({$why}). Does the service run there?"
            : "the connection to {$baseUrl} failed, broke or took too long ({$why}).";
        $message = "{$operation->method} {$operation->path}: {$what}";
        $error = static fn (bool $unknown, ?string $key): RequestException => new ConnectionException($message, $unknown, $key);
        $isOnceNeverSent = $isNeverSent && $operation->repetition === Repetition::Once;
        return new Failure($error, 0, true, $operation->repetition !== Repetition::Reads && !$isOnceNeverSent);
    }

    private static function refused(Operation $operation, ResponseInterface $response, Problem $problem): Failure
    {
        $isInProgress = $problem->code === 'idempotency_in_progress';
        // The key is of another request, which was accepted.
        $isOfAnother = $problem->code === 'idempotency_key_reused';
        $isFault = $problem->status >= 500 && $problem->code !== 'network_unavailable';
        $mayHaveRun = $isInProgress || $isOfAnother || $isFault;
        $retryAfter = Backoff::retryAfter($response);
        // Without Retry-After, no operator is set up for the network, and a repetition gets the same response.
        $needsOperator = $problem->code === 'network_unavailable' && $retryAfter === null;
        return new Failure(
            static fn (bool $unknown, ?string $key): RequestException => new ApiException($problem, $retryAfter, $unknown, $key),
            $problem->status,
            $isInProgress || (in_array($problem->status, self::RETRIED, true) && !$needsOperator),
            $mayHaveRun && $operation->repetition !== Repetition::Reads,
            $retryAfter,
        );
    }

    private static function unexpected(Operation $operation, ResponseInterface $response, string $fault, bool $isRetried): Failure
    {
        $message = "{$operation->method} {$operation->path}: {$fault}. It was not used.";
        $status = $response->getStatusCode();
        return new Failure(
            static fn (bool $unknown, ?string $key): RequestException =>
                new UnexpectedResponseException($message, $status, $unknown, $key),
            $status,
            $isRetried,
            $operation->repetition !== Repetition::Reads,
            Backoff::retryAfter($response),
        );
    }
}
