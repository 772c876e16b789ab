<?php

declare(strict_types=1);

namespace TuaPayments\Payments;

defined('ABSPATH') || exit;

/**
 * Changes a purchase while no other request of the plug-in does, and as it is stored now: what this request has read may be
 * older than what a webhook or another tab has stored since.
 */
trait ExclusiveChanges
{
    /** The name of the lock, of which each purchase has its own. */
    abstract private function lockName(): string;

    abstract public function readAgain(): void;

    /**
     * Throws Busy where another request is changing it, and does not end.
     *
     * @param callable(): void $work
     */
    public function alone(callable $work): void
    {
        $isDone = Lock::wait($this->lockName(), function () use ($work): void {
            $this->readAgain();
            $work();
        });
        if (!$isDone) {
            throw new Busy("Another request is changing the purchase {$this->reference()}.");
        }
    }

    /**
     * Runs $work alone, unless the purchase is paid or has another attempt or checkout by now.
     *
     * @param callable(): void $work
     */
    private function whileCurrent(int $attempt, ?string $checkoutId, callable $work): void
    {
        $this->alone(function () use ($attempt, $checkoutId, $work): void {
            if (!$this->state()->isPaid() && $this->attempt() === $attempt && $this->checkoutId() === $checkoutId) {
                $work();
            }
        });
    }

    /**
     * Runs $work alone, unless the purchase has changed so since this request has read it.
     *
     * @param callable(): void $work
     */
    private function whileUnpaid(callable $work): void
    {
        $this->whileCurrent($this->attempt(), $this->checkoutId(), $work);
    }
}
