<?php
// A shop with one product. It sends the payer to Tua's hosted page, and a webhook reports that
// the order is paid. Where the webhook is lost, it asks.
//
//   composer install
//   TUA_SECRET_KEY=tua_test_v2_… TUA_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:9000 shop.php
//   TUA_SECRET_KEY=tua_test_v2_… php shop.php check     # each minute, by cron: asks about open orders
//
// A real shop keeps its orders in a database. This one keeps them in a file.
declare(strict_types=1);

use Tua\Event\CheckoutEvent;
use Tua\Event\Event;
use Tua\Exception\TuaException;
use Tua\Middleware\PlainWebhook;
use Tua\Model\Checkout;
use Tua\Model\CheckoutStatus;
use Tua\Model\Status;
use Tua\Tua;
use Tua\Webhook;

require __DIR__ . '/vendor/autoload.php';

// The price. It comes from the server, never from the page: a decimal string in cedis, as the service returns it.
const PRICE = '18.00';

// What the payer reads. Nobody knows yet whether the payment of a PENDING or UNKNOWN order arrives,
// so neither of them says "failed", "no money moved" or "try again".
const TEXTS = [
    'PAID' => 'Thank you. The order is paid.',
    'PENDING' => 'Your payment is not confirmed yet. Please do not pay again. This page shows when it is.',
    'UNKNOWN' => 'We cannot reach the payment service, so we do not know yet whether your payment has arrived. '
        . 'If you have paid, please do not pay again. This page asks again.',
    'OPEN' => 'The order is not paid yet.',
    'EXPIRED' => 'The order was not paid in time. No money moved.',
    'CLOSED' => 'The payment was closed. No money moved.',
    'NOT_OPENED' => 'The payment could not begin. No money moved.',
];

function setting(string $name, ?string $default = null): string
{
    return getenv($name) ?: $default ?? throw new RuntimeException("$name is not set");
}

function tua(): Tua
{
    return new Tua(setting('TUA_SECRET_KEY'), setting('TUA_API_URL', 'http://127.0.0.1:8080/v1'), totalTimeout: 10);
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
    // An empty PHP array is written as [], and an object is needed here.
    fwrite($file, json_encode((object) $orders, JSON_THROW_ON_ERROR));
    fclose($file);
    return $result;
}

function findOrder(string $reference): ?array
{
    return withOrders(fn (array &$orders) => $orders[$reference] ?? null);
}

// Changes an order, unless another request has changed the values that are expected.
function changeOrder(string $reference, array $expected, array $changes): void
{
    withOrders(function (array &$orders) use ($reference, $expected, $changes): void {
        if (array_intersect_key($orders[$reference], $expected) == $expected) {
            $orders[$reference] = array_merge($orders[$reference], $changes);
        }
    });
}

// Each attempt to pay an order has an idempotency key of its own. A repeated request of the same
// attempt creates nothing new, so it is safe after a timeout. A new attempt needs a new key: the
// old one would return the old checkout, whose 30 minutes are over.
function openCheckout(string $reference, array $order, string $shopUrl): void
{
    $checkout = tua()->checkouts->create([
        'amount' => $order['amount'],
        'email' => 'ama@example.com',
        'reference' => $reference,
        'returnUrl' => "$shopUrl/orders/$reference",
    ], idempotencyKey: "$reference-{$order['attempt']}");
    $opened = ['checkoutId' => $checkout->checkoutId, 'url' => $checkout->url, 'isOver' => false];
    changeOrder($reference, ['attempt' => $order['attempt']], $opened);
}

// Asks what happened to the order. UNKNOWN where the service does not answer: that is no failure.
function findStatus(string $reference, array $order): array
{
    if ($order['isPaid']) {
        return ['status' => 'PAID', 'failure' => null];
    }
    if ($order['checkoutId'] === null) {
        return ['status' => 'NOT_OPENED', 'failure' => null];
    }
    try {
        $checkout = tua()->checkouts->get($order['checkoutId']);
    } catch (TuaException $error) {
        error_log("$reference: {$error->getMessage()}");
        return ['status' => 'UNKNOWN', 'failure' => null];
    }
    record($checkout);
    $failure = $checkout->transaction?->status === Status::Failed ? $checkout->transaction->failure?->message : null;
    return ['status' => statusOf($checkout)->value, 'failure' => $failure];
}

// A review can find that no money of a paid checkout arrived: then it is over, unless another charge of it is pending.
function statusOf(Checkout $checkout): CheckoutStatus
{
    if ($checkout->status !== CheckoutStatus::Paid || $checkout->paidTransaction !== null) {
        return $checkout->status;
    }
    return $checkout->transaction?->status === Status::Pending ? CheckoutStatus::Pending : CheckoutStatus::Closed;
}

// Stores what Tua reports: once, whatever arrives twice. Deliver the goods where an order becomes paid.
function record(Checkout $checkout): void
{
    $isNewlyPaid = withOrders(function (array &$orders) use ($checkout): bool {
        $order = $orders[$checkout->reference] ?? null;
        if ($order === null || $order['isPaid'] || $checkout->amount !== $order['amount']) {
            return false;
        }
        $status = statusOf($checkout);
        if ($status === CheckoutStatus::Paid) {
            return $orders[$checkout->reference]['isPaid'] = true;
        }
        if ($checkout->checkoutId === $order['checkoutId']) {
            $isOver = in_array($status, [CheckoutStatus::Expired, CheckoutStatus::Closed], true);
            $orders[$checkout->reference]['isOver'] = $isOver;
        }
        return false;
    });
    if ($isNewlyPaid) {
        error_log("{$checkout->reference} is paid");
    }
}

// A webhook can be lost, and a payer can close the tab. So the shop asks about each open order.
function checkOpenOrders(): void
{
    foreach (withOrders(fn (array &$orders) => $orders) as $reference => $order) {
        if ($order['checkoutId'] !== null && !$order['isPaid'] && !$order['isOver']) {
            findStatus($reference, $order);
        }
    }
}

// The order is stored before the first request, so that the order is not lost if the response is.
function buy(string $shopUrl): void
{
    $reference = 'order-' . bin2hex(random_bytes(16));
    $new = ['amount' => PRICE, 'attempt' => 1, 'checkoutId' => null, 'url' => null, 'isPaid' => false, 'isOver' => false];
    withOrders(fn (array &$orders) => $orders[$reference] = $new);
    pay($reference, $shopUrl);
}

// Sends the payer to the hosted page. An order has one open checkout, so it cannot be paid twice. Each
// round asks about the checkout that the order has now: another request may have opened one, and one
// whose answer was lost may have expired.
function pay(string $reference, string $shopUrl): void
{
    for ($round = 0; $round < 5; $round++) {
        $order = findOrder($reference);
        if ($order === null) {
            show(404, '<p>There is no such order.</p>');
            return;
        }
        $status = findStatus($reference, $order)['status'];
        if ($status === 'OPEN') {
            http_response_code(303);
            header("location: {$order['url']}");
            return;
        }
        if ($status === 'EXPIRED' || $status === 'CLOSED') {
            // Only the first of several requests begins the next attempt.
            $next = ['attempt' => $order['attempt'] + 1, 'checkoutId' => null];
            changeOrder($reference, ['checkoutId' => $order['checkoutId']], $next);
        } elseif ($status === 'NOT_OPENED') {
            try {
                openCheckout($reference, $order, $shopUrl);
            } catch (TuaException $error) {
                // The payer has not seen the hosted page of this attempt, so no money can have moved.
                error_log("$reference: {$error->getMessage()}");
                show(502, '<p>' . TEXTS['NOT_OPENED'] . '</p>' . payButton($reference, 'Try again'));
                return;
            }
        } else {
            break;
        }
    }
    showOrder($reference);
}

// The payer comes back, perhaps before the webhook.
function showOrder(string $reference): void
{
    $order = findOrder($reference);
    if ($order === null) {
        show(404, '<p>There is no such order.</p>');
        return;
    }
    ['status' => $found, 'failure' => $reason] = findStatus($reference, $order);
    $status = isset(TEXTS[$found]) ? $found : 'UNKNOWN';
    if ($status === 'PENDING' || $status === 'UNKNOWN') {
        header('refresh: 10');
        show(200, '<p>' . TEXTS[$status] . '</p>');
        return;
    }
    // A failed attempt leaves the checkout open: the payer can try again there.
    $failure = $reason === null ? '' : '<p>' . htmlspecialchars($reason) . '</p>';
    show(200, '<p>' . TEXTS[$status] . "</p>$failure" . ($status === 'PAID' ? '' : payButton($reference, 'Pay')));
}

// Tua reports what happened. A webhook can arrive twice, and later than another one.
function receiveWebhook(): void
{
    PlainWebhook::answer(new Webhook(setting('TUA_WEBHOOK_SECRET')), function (Event $event): void {
        if ($event instanceof CheckoutEvent) {
            record($event->data);
        }
    });
}

function payButton(string $reference, string $label): string
{
    return "<form method=\"post\" action=\"/orders/$reference/pay\"><button>$label</button></form>";
}

function show(int $status, string $body): void
{
    http_response_code($status);
    header('content-type: text/html; charset=utf-8');
    header('cache-control: no-store');
    echo "<!doctype html><html lang=\"en\"><title>Adom Stores</title><h1>Adom Stores</h1>$body</html>";
}

function respond(): void
{
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    $route = "{$_SERVER['REQUEST_METHOD']} $path";
    $shopUrl = setting('SHOP_URL', "http://{$_SERVER['HTTP_HOST']}");
    try {
        match (true) {
            $route === 'GET /' => show(200, '<form method="post" action="/buy"><button>Buy for GHS ' . PRICE . '</button></form>'),
            $route === 'POST /buy' => buy($shopUrl),
            $route === 'POST /webhooks' => receiveWebhook(),
            preg_match('#^POST /orders/([^/]+)/pay$#', $route, $order) === 1 => pay($order[1], $shopUrl),
            preg_match('#^GET /orders/([^/]+)$#', $route, $order) === 1 => showOrder($order[1]),
            default => show(404, '<p>There is no such page.</p>'),
        };
    } catch (Throwable $error) {
        // A fault of the shop itself. Whether money moved is not known here.
        error_log((string) $error);
        show(500, '<p>Something went wrong in the shop. If you have paid, please do not pay again.</p>');
    }
}

if (PHP_SAPI === 'cli') {
    checkOpenOrders();
} else {
    respond();
}
