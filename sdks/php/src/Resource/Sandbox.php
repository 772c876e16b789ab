<?php

declare(strict_types=1);

namespace Tua\Resource;

use Tua\Internal\Operation;
use Tua\Internal\Repetition;
use Tua\Model\AdvancedSandboxClock;

/** `/sandbox`: the sandbox of a test key. */
final class Sandbox extends Resource
{
    /**
     * Makes everything that is scheduled in test mode of the account earlier, by 1 to 31,622,400 seconds (366 days). It is
     * repeated only where it certainly did not reach the service, because a repetition advances the clock again.
     */
    public function advanceClock(int $seconds): AdvancedSandboxClock
    {
        $body = ['seconds' => $seconds];
        $read = AdvancedSandboxClock::fromArray(...);
        return $this->transport->send(
            new Operation('POST', '/sandbox/clock/advance', Repetition::Once, $read, $body, expected: $body),
        );
    }
}
