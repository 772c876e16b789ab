<?php

declare(strict_types=1);

namespace Tua\Cart;

use Tua\Exception\ApiException;
use Tua\Exception\Fault;
use Tua\Exception\RequestException;
use Tua\Exception\UnexpectedResponseException;
use Tua\Exception\UsageException;
use Tua\Internal\JsonObject;
use Tua\Internal\StrictJson;
use Tua\Model\OpenedCheckout;
use Tua\Tua;

/** Opens checkouts for the carts of a page: `POST /checkout` of the shop. It has the prices, and the page gets a token. */
final class CartCheckout
{
    /** The longest cart, in bytes. */
    public const MAX_BYTES = 32_768;

    private const OF_CART = ['/email', '/reference', '/metadata'];
    private const SECRET_KEY = '/(tua_(test|live)_v2_|sk_(test|live)_)[A-Za-z0-9_-]/';
    private const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
    private const UNAVAILABLE = 'The payment service cannot be reached at the moment. No money has moved. Try again later.';
    private const REFUSED = "The payment service did not accept this shop's request. No money has moved. Please tell the shop.";
    private const FAILED = 'The shop could not read the cart. No money has moved. Try again later.';

    /** @var \Closure(list<string>): iterable<SoldItem> */
    private readonly \Closure $findItems;
    private readonly AddressLimits $limits;

    /**
     * @param callable(list<string>): iterable<SoldItem> $findItems The items with these SKUs, of those that the shop sells now.
     *     Names and prices come from here, never from the page.
     * @param Donation|null $donation An amount of the payer's choice, where the shop accepts one.
     * @param string|null $returnUrl Where the payer comes back to, such as https://shop.example/orders/{reference}.
     * @param int $maxOpenSessions How many open checkouts one address may have.
     * @param string|null $limitsFile The file of the limits of addresses. One in a folder that only the user of the
     *     process may read, below that of temporary files, where it is null.
     * @param (callable(\Throwable): mixed)|null $log What happens to the faults of the shop and its settings. PHP's error log
     *     where it is null.
     */
    public function __construct(
        private readonly Tua $tua,
        callable $findItems,
        private readonly ?Donation $donation = null,
        private readonly ?string $returnUrl = null,
        int $maxOpenSessions = 200,
        ?string $limitsFile = null,
        private readonly mixed $log = null,
    ) {
        if ($returnUrl !== null) {
            self::checkReturnUrl($returnUrl);
        }
        if ($maxOpenSessions < 1) {
            throw new UsageException('maxOpenSessions is a number from 1.');
        }
        $this->findItems = $findItems(...);
        $this->limits = new AddressLimits($limitsFile, $maxOpenSessions, $this->write(...));
    }

    /**
     * Answers a page: 201 with `checkoutToken`, `url` and `expiresAt`, or a problem document.
     *
     * @param string $body A body of more than MAX_BYTES may be cut after one more byte.
     * @param string|null $address The address of the client. Without it, nothing is limited by address.
     *
     * @return array{status: int, headers: array<string, string>, body: string}
     */
    public function respond(?string $contentType, string $body, ?string $contentEncoding = null, ?string $address = null): array
    {
        try {
            self::refuseAfter($address === null ? 0 : $this->limits->countCart($address));
            self::checkMediaType($contentType, $contentEncoding);
            $session = $this->open(self::readBody($body), $address);
            $headers = ['content-type' => 'application/json', 'cache-control' => 'no-store'];
            return ['status' => 201, 'headers' => $headers, 'body' => json_encode($session, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES)];
        } catch (CartProblem $error) {
            $problem = $error;
        } catch (\Throwable $error) {
            $problem = new CartProblem(500, 'internal_error', self::FAILED, reason: $error);
        }
        if ($problem->reason !== null) {
            $this->write($problem->reason);
        }
        $headers = ['content-type' => 'application/problem+json', 'cache-control' => 'no-store'] + $problem->headers;
        $errorPages = substr($this->tua->baseUrl, 0, -2) . 'docs/errors/';
        return ['status' => $problem->status, 'headers' => $headers, 'body' => $problem->write($errorPages)];
    }

    /** @return array<string, string> */
    private function open(JsonObject $cart, ?string $address): array
    {
        $skus = Order::findSkus($cart, $this->donation);
        $order = Order::read($cart, $skus === [] ? [] : ($this->findItems)($skus), $this->donation);
        self::refuseAfter($address === null ? 0 : $this->limits->countSession($address));
        $reference = $order->reference ?? self::generateReference();
        try {
            return self::readSession($this->tua->checkouts->create([
                'amount' => $order->total,
                'email' => $order->email,
                'reference' => $reference,
                'metadata' => $order->metadata,
                'returnUrl' => $this->returnUrl === null ? null : str_replace('{reference}', rawurlencode($reference), $this->returnUrl),
            ]));
        } catch (RequestException $error) {
            throw self::refusedByService($error, $reference);
        }
    }

    private static function refuseAfter(int $seconds): void
    {
        if ($seconds > 0) {
            $detail = "Too many requests came from this address. Try again in {$seconds} s.";
            throw new CartProblem(429, 'rate_limited', $detail, headers: ['retry-after' => (string) $seconds]);
        }
    }

    /** A browser asks before it sends this type to another origin, which it does not for a form's types. */
    private static function checkMediaType(?string $contentType, ?string $contentEncoding): void
    {
        if (preg_match('#\Aapplication/json\s*(;|\z)#i', $contentType ?? '') !== 1) {
            throw new CartProblem(415, 'unsupported_media_type', 'Send the body as `Content-Type: application/json`.');
        }
        if (!in_array(strtolower(trim($contentEncoding ?? '')), ['', 'identity'], true)) {
            $detail = 'Send the body as it is: without compression, and without the header Content-Encoding.';
            throw new CartProblem(415, 'unsupported_media_type', $detail, headers: ['accept-encoding' => 'identity']);
        }
    }

    private static function readBody(string $body): JsonObject
    {
        if (strlen($body) > self::MAX_BYTES) {
            throw new CartProblem(413, 'body_too_large', 'The body is larger than 32 KiB.');
        }
        try {
            $cart = JsonObject::of(StrictJson::parse($body));
        } catch (\UnexpectedValueException $error) {
            throw new CartProblem(400, 'malformed_json', $error->getMessage());
        }
        return $cart ?? throw CartProblem::of([new Fault('', 'invalid_type', 'The body must be a JSON object.')]);
    }

    /** A reference such as `shop-7k3m9x2q4tza8c5d`: it cannot be guessed, and is easy to spell (no i, l, o or u). */
    private static function generateReference(): string
    {
        $reference = 'shop-';
        for ($count = 0; $count < 16; $count++) {
            $reference .= self::ALPHABET[random_int(0, 31)];
        }
        return $reference;
    }

    /** A page may choose the reference, so the reference may not choose the site. */
    private static function checkReturnUrl(string $returnUrl): void
    {
        $origin = static function (string $reference) use ($returnUrl): ?string {
            $url = parse_url(str_replace('{reference}', $reference, $returnUrl));
            $isWeb = $url !== false && in_array($url['scheme'] ?? '', ['http', 'https'], true) && isset($url['host']) && !isset($url['user']);
            return $isWeb ? "{$url['scheme']}://{$url['host']}:" . ($url['port'] ?? '') : null;
        };
        if ($origin('1') === null || $origin('1') !== $origin('2')) {
            throw new UsageException(
                'returnUrl is the address of a page, such as https://shop.example/orders/{reference}; {reference} may appear ' .
                'only after the host.'
            );
        }
    }

    /**
     * These three members only, whatever the service responds.
     *
     * @return array<string, string>
     */
    private static function readSession(OpenedCheckout $opened): array
    {
        $url = parse_url($opened->url);
        parse_str(is_array($url) ? $url['query'] ?? '' : '', $query);
        $isSession = preg_match('/\Atua_checkout_[A-Za-z0-9_-]+\z/', $opened->checkoutToken) === 1
            && in_array($url['scheme'] ?? '', ['http', 'https'], true)
            && ($query['key'] ?? null) === $opened->checkoutToken
            && preg_match(self::SECRET_KEY, $opened->url) !== 1
            && preg_match('/\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z\z/', $opened->expiresAt) === 1;
        if (!$isSession) {
            $reason = new \UnexpectedValueException('the response has no checkout session');
            throw new CartProblem(502, 'upstream_unavailable', self::UNAVAILABLE, reason: $reason);
        }
        return ['checkoutToken' => $opened->checkoutToken, 'url' => $opened->url, 'expiresAt' => $opened->expiresAt];
    }

    /** What the page may know of a fault of the service: what it can correct itself. The log has the rest. */
    private static function refusedByService(RequestException $error, string $reference): CartProblem
    {
        $status = $error instanceof ApiException || $error instanceof UnexpectedResponseException ? $error->status : 0;
        if ($error instanceof ApiException && $status === 422) {
            $faults = array_values(array_filter($error->errors, self::isOfPage(...)));
            if ($faults !== []) {
                return CartProblem::of($faults);
            }
        }
        $text = $error->getMessage();
        if ($error instanceof ApiException) {
            // The texts of a refusal could contain personal data.
            $code = preg_match('/\A[a-z_]{1,64}\z/', $error->errorCode) === 1 ? $error->errorCode : 'unknown code';
            $text = "{$code} (status {$status})";
        }
        $reason = new \RuntimeException("{$reference}: {$text}");
        if ($status >= 400 && $status < 500 && $status !== 429) {
            return new CartProblem(502, 'upstream_refused', self::REFUSED, reason: $reason);
        }
        return new CartProblem(502, 'upstream_unavailable', self::UNAVAILABLE, reason: $reason);
    }

    /** A fault that the page can correct, and that shows no secret. */
    private static function isOfPage(Fault $fault): bool
    {
        $isKnown = in_array($fault->pointer, self::OF_CART, true) && CartProblem::isKnownCode($fault->code);
        return $isKnown && preg_match(self::SECRET_KEY, $fault->detail) !== 1;
    }

    private function write(\Throwable $error): void
    {
        if ($this->log === null) {
            error_log("checkout: {$error->getMessage()}");
        } else {
            ($this->log)($error);
        }
    }
}
