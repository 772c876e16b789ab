<?php

// Tua's API without an SDK, in PHP 8.1 or later with its extension curl.

declare(strict_types=1);

define('TUA_API', check('TUA_API_URL', trim((string) getenv('TUA_API_URL')), '~\Ahttps?://[^\s@]+/v1\z~')); // https://pay.example/v1
define('TUA_KEY', check('TUA_SECRET_KEY', trim((string) getenv('TUA_SECRET_KEY')), '/\A[A-Za-z0-9_-]+\z/'));

/** The service refused: the message has the code and the request id. Nothing was begun by this call. */
final class Refused extends RuntimeException
{
}

/**
 * No usable response. After create() the request may have been executed: repeat it later, and never say "failed". After wait()
 * the status is not known: ask again later.
 */
final class Unknown extends RuntimeException
{
}

/**
 * Begins something once: create('/charge', […], 'order-17-1'). Store the key with the order before the first call. A later call
 * with this key has the same body, and true for $isRepeated.
 */
function create(string $path, array $body, string $idempotencyKey, bool $isRepeated = false): array
{
    $key = check('the idempotency key', $idempotencyKey, '/\A[!-~]{1,255}\z/');
    $headers = ['content-type: application/json', "idempotency-key: {$key}"];
    $text = json_encode($body, JSON_THROW_ON_ERROR);
    $mayHaveBegun = $isRepeated; // by a request whose outcome is not known
    $fault = '';
    $seconds = 0;
    for ($attempt = 0; $attempt < 4 && $seconds <= 60; $attempt++) {
        if ($attempt > 0) {
            usleep((int) (1e6 * max($seconds, random_int(0, 500) / 1000 * 2 ** $attempt)));
        }
        [$status, $after, $answer, $code, $fault] = request('POST', $path, $headers, $text, 40);
        $found = array_filter(IDENTIFIERS, static fn (string $name): bool => is_string($answer[$name] ?? null));
        if ($status >= 200 && $status < 300 && $found !== []) {
            return $answer;
        }
        $isNetworkDown = $code === 'network_unavailable'; // and nothing was begun
        $isUncertain = $code === null || $code === 'idempotency_in_progress' || ($status >= 500 && !$isNetworkDown);
        $isTemporary = $isUncertain || in_array($status, [408, 429], true) || ($isNetworkDown && $after !== null);
        $mayHaveBegun = $mayHaveBegun || $isUncertain;
        if (!$isTemporary) {
            // These do not show whether an earlier attempt was executed.
            $isNoVerdict = in_array($status, [401, 403, 413], true) || $code === 'idempotency_key_reused';
            throw $mayHaveBegun && $isNoVerdict ? new Unknown($fault) : new Refused($fault);
        }
        $seconds = $after ?? 0;
    }
    throw $mayHaveBegun ? new Unknown($fault) : new Refused($fault);
}

/** Waits until a transaction has ended. After so many seconds it returns what it saw last, which may be PENDING. */
function wait(string $transactionId, int $seconds = 120): array
{
    $id = check('the transaction id', $transactionId, '/\A[A-Za-z0-9_-]+\z/');
    $end = microtime(true) + $seconds;
    $seen = null;
    while (true) {
        $poll = max(0, min(30, (int) ceil($end - microtime(true))));
        $headers = $poll > 0 ? ["prefer: wait={$poll}"] : [];
        [$status, $after, $answer, , $fault] = request('GET', "/status/{$id}", $headers, null, $poll + 10);
        $isSeen = $status === 200 && ($answer['transactionId'] ?? null) === $id && is_string($answer['status'] ?? null);
        $seen = $isSeen ? $answer : $seen;
        if ($isSeen && in_array($answer['status'], ['SUCCESSFUL', 'FAILED'], true)) {
            return $answer;
        }
        $pause = $isSeen ? 0.2 : max($after ?? 0, 2); // a proxy or a busy service may not let it wait
        if (microtime(true) + $pause >= $end) {
            return $seen ?? throw new Unknown("the status of {$id} is not known: {$fault}");
        }
        usleep((int) (1e6 * $pause));
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

/** The identifiers of created resources. A response to create() has one of them. */
const IDENTIFIERS = ['transactionId', 'refundId', 'checkoutId', 'linkId', 'batchId', 'endpointId'];

/**
 * One attempt: its status, seconds of Retry-After, JSON, code and fault. A refusal by the API has a code: a redirect, the page
 * of a proxy and a broken connection have none.
 */
function request(string $method, string $path, array $headers, ?string $body, int $seconds): array
{
    $after = null; // a date is not waited for
    $readHeader = static function (CurlHandle $handle, string $line) use (&$after): int {
        if (preg_match('/\Aretry-after:\s*(\d{1,9})\s*\z/i', $line, $found) === 1) {
            $after = (int) $found[1];
        }
        return strlen($line);
    };
    $handle = curl_init(TUA_API . $path);
    curl_setopt_array($handle, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['x-api-key: ' . TUA_KEY, ...$headers],
        CURLOPT_HEADERFUNCTION => $readHeader,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => $seconds,
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $text = curl_exec($handle);
    $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
    if ($text === false) {
        return [$status, $after, [], null, "status {$status}, " . curl_error($handle)];
    }
    $parsed = json_decode($text, true);
    $answer = is_array($parsed) ? $parsed : [];
    if ($status < 400 || !is_string($answer['code'] ?? null)) {
        return [$status, $after, $answer, null, "status {$status} without the JSON of the API"];
    }
    $texts = array_filter($answer, 'is_string') + ['detail' => '', 'requestId' => ''];
    return [$status, $after, $answer, $texts['code'], "{$texts['code']}: {$texts['detail']} ({$texts['requestId']})"];
}

/** A value of the right form. The error does not show it, because it may be a secret. */
function check(string $name, #[SensitiveParameter] string $value, string $form): string
{
    if (preg_match($form, $value) !== 1) {
        throw new InvalidArgumentException("{$name} is empty, or has a character that does not belong there");
    }
    return $value;
}
