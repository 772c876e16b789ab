import { TuaUsageError } from "../errors.js";
import type { AdvancedSandboxClock, RequestOptions } from "../types.js";
import { Resource } from "./base.js";

/** The sandbox of a test key. */
export class Sandbox extends Resource {
  /**
   * Makes everything that is scheduled in test mode of the account earlier, by 1 to 31,622,400 whole seconds (366 days). It is
   * repeated only where it certainly did not reach the service, because a repetition advances the clock again.
   */
  async advanceClock(seconds: number, options?: RequestOptions): Promise<AdvancedSandboxClock> {
    if (!Number.isSafeInteger(seconds)) throw new TuaUsageError(`seconds is ${seconds}. It is a whole number.`);
    const path = "/sandbox/clock/advance";
    const operation = { method: "POST", path, repetition: "once", body: { seconds }, identifier: "due" } as const;
    return this.call({ ...operation, expected: { seconds } }, options);
  }
}
