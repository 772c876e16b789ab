<?php

// The plug-in waits for locks without a pause in the tests.
declare(strict_types=1);

namespace TuaPayments\Payments;

function usleep(int $microseconds): void
{
}
