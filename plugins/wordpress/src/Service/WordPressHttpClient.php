<?php

declare(strict_types=1);

namespace TuaPayments\Service;

use TuaPayments\Vendor\GuzzleHttp\Psr7\Response;
use TuaPayments\Vendor\Psr\Http\Client\ClientInterface;
use TuaPayments\Vendor\Psr\Http\Message\RequestInterface;
use TuaPayments\Vendor\Psr\Http\Message\ResponseInterface;

defined('ABSPATH') || exit;

/** Sends the SDK's requests with WordPress's HTTP API, so that its proxy settings and filters apply. */
final class WordPressHttpClient implements ClientInterface
{
    /** The longest response of the service that the plug-in reads, in bytes. */
    private const MAX_RESPONSE_BYTES = 2_097_152;

    /** @param float $timeout Seconds for one request. */
    public function __construct(private readonly float $timeout)
    {
    }

    public function sendRequest(RequestInterface $request): ResponseInterface
    {
        $headers = [];
        foreach (array_keys($request->getHeaders()) as $name) {
            if (strtolower((string) $name) !== 'host') {
                $headers[(string) $name] = $request->getHeaderLine((string) $name);
            }
        }
        $response = wp_remote_request((string) $request->getUri(), [
            'method' => $request->getMethod(),
            'headers' => $headers,
            'body' => (string) $request->getBody(),
            'timeout' => $this->timeout,
            'redirection' => 0,
            'limit_response_size' => self::MAX_RESPONSE_BYTES,
        ]);
        if (is_wp_error($response)) {
            throw new NoResponse($response->get_error_message());
        }
        $headers = [];
        foreach (wp_remote_retrieve_headers($response) as $name => $value) {
            $headers[(string) $name] = $value;
        }
        return new Response((int) wp_remote_retrieve_response_code($response), $headers, wp_remote_retrieve_body($response));
    }
}
