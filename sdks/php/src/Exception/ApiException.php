<?php

declare(strict_types=1);

namespace Tua\Exception;

/** The service refused the request. `errorCode` is the reason; new codes may be added. */
final class ApiException extends RequestException
{
    /** The HTTP status, 400 to 599. */
    public readonly int $status;
    public readonly string $errorCode;
    public readonly string $title;
    public readonly string $detail;
    /** Quote it when you ask for help: the service's log has it too. */
    public readonly ?string $requestId;
    /** @var list<Fault> Every fault of the body or the query; empty where there is none. */
    public readonly array $errors;

    /**
     * @param float|null $retryAfter Seconds until the service takes the request again, from Retry-After; null where it
     *     gave none.
     */
    public function __construct(
        Problem $problem,
        public readonly ?float $retryAfter,
        bool $outcomeUnknown,
        ?string $idempotencyKey,
    ) {
        $request = $problem->requestId === null ? '' : " (request {$problem->requestId})";
        parent::__construct("{$problem->code}: {$problem->describe()}{$request}", $outcomeUnknown, $idempotencyKey);
        $this->status = $problem->status;
        $this->errorCode = $problem->code;
        $this->title = $problem->title;
        $this->detail = $problem->detail;
        $this->requestId = $problem->requestId;
        $this->errors = $problem->errors;
    }
}
