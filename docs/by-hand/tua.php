<?php

// Tua's API without an SDK, in PHP 8.1 or later with its standard library alone.

declare(strict_types=1);

/** The service refused: the message has the code and the request id. Nothing was begun by this call. */
final class Refused extends RuntimeException
{
}

/** No usable response: the request may have been executed. Call again with the same idempotency key. */
final class Unknown extends RuntimeException
{
}

/** Begins something once: create('/charge', […], 'order-17-1'). Store the key with the order before the first call. */
function create(string $path, array $body, string $idempotencyKey): array
{
    $headers = ['content-type: application/json', "idempotency-key: {$idempotencyKey}"];
    return send('POST', $path, $headers, json_encode($body, JSON_THROW_ON_ERROR));
}

/** Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING. */
function wait(string $transactionId, int $seconds = 120): array
{
    $end = microtime(true) + $seconds;
    while (true) {
        $left = min(30, (int) ceil($end - microtime(true)));
        $headers = $left > 0 ? ["prefer: wait={$left}"] : [];
        $transaction = send('GET', "/status/{$transactionId}", $headers, transactionId: $transactionId);
        if ($transaction['status'] !== 'PENDING' || $left <= 0) {
            return $transaction;
        }
        usleep(200_000); // also where a proxy or a busy service does not let it wait
    }
}

/**
 * The event of a delivery. $body has the bytes as they arrived (php://input), $headers have names in lower case, and $secrets
 * are one secret or both of a rotation.
 */
function verify(string $body, array $headers, array $secrets, ?int $now = null): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = explode(' ', $headers['webhook-signature'] ?? '');
    if ($id === '' || preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        throw new RuntimeException('not a webhook of Tua');
    }
    if (abs(($now ?? time()) - (int) $timestamp) > 300) {
        throw new RuntimeException('the delivery is too old, or a clock is wrong');
    }
    $keys = array_map(static fn (string $secret): string => (string) base64_decode(substr($secret, strlen('whsec_')), true), $secrets);
    if (array_filter($keys, static fn (string $key): bool => strlen($key) < 24) !== []) {
        throw new RuntimeException('a secret is empty or too short'); // anybody could sign with it
    }
    $isRight = false;
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $key, true));
        foreach ($signatures as $signature) {
            $isRight = hash_equals($expected, $signature) || $isRight;
        }
    }
    if (!$isRight) {
        throw new RuntimeException('the signature is wrong');
    }
    return ['id' => $id] + json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}

/** Whether this is the transaction that was asked for, or something that was begun. Another server's JSON is neither. */
function isAnswer(array $answer, ?string $transactionId): bool
{
    if ($transactionId !== null) {
        return ($answer['transactionId'] ?? null) === $transactionId && is_string($answer['status'] ?? null);
    }
    $identifiers = ['transactionId', 'refundId', 'checkoutId', 'linkId', 'batchId', 'endpointId'];
    return array_filter($identifiers, static fn (string $name): bool => is_string($answer[$name] ?? null)) !== [];
}

function send(string $method, string $path, array $headers, string $body = '', ?string $transactionId = null): array
{
    $options = [
        'method' => $method,
        'header' => ['x-api-key: ' . getenv('TUA_SECRET_KEY'), ...$headers],
        'content' => $body,
        'timeout' => 40,
        'ignore_errors' => true, // a refusal has a body too
        'follow_location' => 0, // a redirect would send the key to another address
    ];
    $fault = '';
    $after = 0;
    $mayHaveBegun = false; // by an attempt without a usable response
    for ($attempt = 0; $attempt < 4; $attempt++) {
        if ($attempt > 0) {
            usleep((int) (1e6 * max($after, lcg_value() * 0.5 * 2 ** $attempt)));
        }
        $http_response_header = [];
        $text = @file_get_contents(getenv('TUA_API_URL') . $path, false, stream_context_create(['http' => $options]));
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        $after = preg_match('/^retry-after: *(\d{1,9})$/im', implode("\n", $http_response_header), $found) ? min((int) $found[1], 60) : 0;
        $answer = json_decode((string) $text, true); // a page of a proxy is no answer
        if (is_array($answer) && $status >= 200 && $status < 300 && isAnswer($answer, $transactionId)) {
            return $answer;
        }
        if ($status < 400 || !is_string($answer['code'] ?? null)) {
            $fault = "status {$status} without the JSON of the API";
            $mayHaveBegun = true;
            continue;
        }
        $texts = array_filter($answer, 'is_string') + ['detail' => '', 'requestId' => ''];
        $fault = "{$texts['code']}: {$texts['detail']} ({$texts['requestId']})";
        $isBusy = in_array($status, [408, 429], true);
        if ($status < 500 && !$isBusy && $texts['code'] !== 'idempotency_in_progress') {
            // These are decided before the key is read, so they say nothing about an earlier attempt.
            throw $mayHaveBegun && in_array($status, [401, 403, 413], true) ? new Unknown($fault) : new Refused($fault);
        }
        $mayHaveBegun = $mayHaveBegun || !$isBusy;
    }
    throw new Unknown($fault);
}
