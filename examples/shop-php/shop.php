<?php
// A shop with one product. It sends the payer to Tua's hosted page, and learns from a webhook that the order is paid.
//
//   TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 shop.php
//
// A real shop keeps its orders in a database. This one keeps them in a file.
declare(strict_types=1);

// The only place that says what things cost. Amounts are in cedis, with two decimals at most.
const PRICE = 18.00;

// How old a webhook may be, in seconds: an older one may be a repeated one of an attacker.
const WEBHOOK_TOLERANCE = 300;

const TEXTS = [
    'PAID' => 'Thank you. The order is paid.',
    'PENDING' => 'Your payment is not confirmed yet. Please do not pay again. This page shows when it is.',
    'OPEN' => 'The order is not paid yet.',
    'EXPIRED' => 'The order was not paid. No money moved.',
    'CLOSED' => 'The order was closed. No money moved.',
];

function setting(string $name, ?string $default = null): string
{
    return getenv($name) ?: $default ?? throw new RuntimeException("$name is not set");
}

function callTua(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $headers = ['x-api-key: ' . setting('TUA_SECRET_KEY'), 'content-type: application/json'];
    // With the same key, a repeated request creates nothing new, so it is safe to repeat it after a timeout.
    if ($idempotencyKey !== null) {
        $headers[] = "idempotency-key: $idempotencyKey";
    }
    $request = curl_init(setting('TUA_URL', 'http://127.0.0.1:8080') . "/v1$path");
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
    }
    $text = curl_exec($request);
    if ($text === false) {
        throw new RuntimeException(curl_error($request));
    }
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException("{$answer['title']}: {$answer['detail']} (request {$answer['requestId']})");
    }
    return $answer;
}

// Reads and changes the orders while no other request does. $change returns what the caller gets.
function withOrders(callable $change): mixed
{
    $file = fopen(setting('ORDERS_FILE', sys_get_temp_dir() . '/tua-example-orders.json'), 'c+');
    flock($file, LOCK_EX);
    $orders = json_decode(stream_get_contents($file) ?: '{}', true);
    $result = $change($orders);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($orders, JSON_FORCE_OBJECT | JSON_THROW_ON_ERROR));
    fclose($file);
    return $result;
}

// Opens a checkout for a new order, and sends the payer to it.
function buy(string $shopUrl): void
{
    $reference = 'order-' . bin2hex(random_bytes(16));
    $checkout = callTua('POST', '/checkout', [
        'amount' => PRICE,
        'email' => 'ama@example.com',
        'reference' => $reference,
        'returnUrl' => "$shopUrl/orders/$reference",
    ], $reference);
    withOrders(function (array &$orders) use ($reference, $checkout): void {
        $orders[$reference] = ['amount' => PRICE, 'checkoutId' => $checkout['checkoutId'], 'isPaid' => false];
    });
    http_response_code(303);
    header("location: {$checkout['url']}");
}

// Tua reports what happened. A webhook can arrive twice, and later than another one.
function receiveWebhook(): void
{
    // The signature covers the exact bytes, so the body is not parsed before it is verified.
    $body = file_get_contents('php://input');
    if (!isSigned($body)) {
        http_response_code(400);
        return;
    }
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    if ($event['type'] === 'checkout.paid') {
        markPaid($event['data']);
    }
    http_response_code(204);
}

// Standard Webhooks 1.0: HMAC-SHA256 of "id.timestamp.body". There can be several signatures, separated by a space.
function isSigned(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (abs(time() - (int) $timestamp) > WEBHOOK_TOLERANCE) {
        return false;
    }
    $secret = base64_decode(substr(setting('TUA_WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// Once, whatever arrives twice. Deliver the goods here.
function markPaid(array $checkout): void
{
    $isNew = withOrders(function (array &$orders) use ($checkout): bool {
        $order = $orders[$checkout['reference']] ?? null;
        if ($order === null || $order['isPaid'] || (float) $checkout['amount'] !== (float) $order['amount']) {
            return false;
        }
        return $orders[$checkout['reference']]['isPaid'] = true;
    });
    if ($isNew) {
        error_log("{$checkout['reference']} is paid");
    }
}

// The payer comes back, perhaps before the webhook. So the shop asks.
function showOrder(string $reference): void
{
    $order = withOrders(fn (array &$orders) => $orders[$reference] ?? null);
    if ($order === null) {
        show(404, '<p>There is no such order.</p>');
        return;
    }
    $status = 'PAID';
    if (!$order['isPaid']) {
        $checkout = callTua('GET', "/checkout/{$order['checkoutId']}");
        $status = $checkout['status'];
        if ($status === 'PAID') {
            markPaid($checkout);
        }
    }
    show(200, '<p>' . TEXTS[$status] . '</p>');
}

function show(int $status, string $body): void
{
    http_response_code($status);
    header('content-type: text/html; charset=utf-8');
    echo "<!doctype html><html lang=\"en\"><title>Adom Stores</title><h1>Adom Stores</h1>$body</html>";
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$route = "{$_SERVER['REQUEST_METHOD']} $path";
try {
    match (true) {
        $route === 'POST /buy' => buy(setting('SHOP_URL', "http://{$_SERVER['HTTP_HOST']}")),
        $route === 'POST /webhooks' => receiveWebhook(),
        str_starts_with($route, 'GET /orders/') => showOrder(substr($path, strlen('/orders/'))),
        $route === 'GET /' => show(200, sprintf('<form method="post" action="/buy"><button>Buy for GHS %.2f</button></form>', PRICE)),
        default => show(404, '<p>There is no such page.</p>'),
    };
} catch (Throwable $error) {
    error_log($error->getMessage());
    show(502, '<p>The payment service does not respond. No money moved. Please try again.</p>');
}
