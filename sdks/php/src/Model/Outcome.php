<?php

declare(strict_types=1);

namespace Tua\Model;

/** What has a status with three cases. PENDING is neither paid nor failed. */
trait Outcome
{
    /**
     * Calls the function of the status, and returns its result. All three are required, so that none is forgotten: in PHP
     * every status is true in a condition, so `if ($transaction->status)` has no meaning.
     *
     * @template T
     *
     * @param callable(static): T $successful
     * @param callable(static): T $failed
     * @param callable(static): T $pending
     *
     * @return T
     */
    public function decide(callable $successful, callable $failed, callable $pending): mixed
    {
        return match ($this->status) {
            Status::Successful => $successful($this),
            Status::Failed => $failed($this),
            Status::Pending => $pending($this),
        };
    }
}
