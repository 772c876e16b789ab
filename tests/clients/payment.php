<?php

// Makes test payments with the client that openapi-generator wrote, and reads a refusal.

declare(strict_types=1);

use OpenAPI\Client\Api\CheckoutsApi;
use OpenAPI\Client\Api\PaymentsApi;
use OpenAPI\Client\Api\ReadingApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\ChargeRequest;
use OpenAPI\Client\Model\CheckoutRequest;
use OpenAPI\Client\Model\Problem;

[, $client, $baseUrl, $key] = $argv;
require 'GuzzleHttp/autoload.php';
require 'GuzzleHttp/Psr7/autoload.php';
spl_autoload_register(static function (string $class) use ($client): void {
    if (str_starts_with($class, 'OpenAPI\\Client\\')) {
        require $client . '/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    }
});

function expect(mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new UnexpectedValueException(json_encode([$expected, $found]));
    }
}

$configuration = (new Configuration())->setHost($baseUrl)->setApiKey('x-api-key', $key);
$payments = new PaymentsApi(null, $configuration);
$reading = new ReadingApi(null, $configuration);
$members = ['amount' => 0.29, 'phone_number' => '0241234567', 'network' => 'MTN'];
expect(false, (new ChargeRequest(array_diff_key($members, ['amount' => true])))->valid());
$charge = new ChargeRequest($members);
expect(true, $charge->valid());
$idempotencyKey = bin2hex(random_bytes(16));
$begun = $payments->createCharge($charge, $idempotencyKey);
expect($begun->getTransactionId(), $payments->createCharge($charge, $idempotencyKey)->getTransactionId());
$read = $reading->readStatus($begun->getTransactionId());
while ($read->getStatus() === 'PENDING') {
    $read = $reading->readStatus($begun->getTransactionId(), 'wait=5');
}
expect(['SUCCESSFUL', 0.29, '0241234567'], [$read->getStatus(), $read->getAmount(), $read->getPhoneNumber()]);

$checkouts = new CheckoutsApi(null, $configuration);
$opened = $checkouts->createCheckout(new CheckoutRequest(['amount' => 10.5, 'email' => 'ama@example.com']));
expect('OPEN', $checkouts->readSession($opened->getCheckoutId())->getStatus());

try {
    $payments->createCharge(new ChargeRequest(['network' => 'GLO'] + $members));
    throw new UnexpectedValueException('an unknown network was accepted');
} catch (ApiException $refused) {
    $problem = $refused->getResponseObject();
    expect(true, $problem instanceof Problem);
    expect([422, 'unsupported_network'], [$problem->getStatus(), $problem->getCode()]);
}
echo "paid 0.29 and read a problem\n";
