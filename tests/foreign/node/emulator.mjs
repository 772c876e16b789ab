/*
 * What the tests of all clients share: the emulator's address and credentials, and patience. `alone.py` starts it.
 */
import assert from "node:assert/strict";

export const { mtn, paystack } = JSON.parse(process.env.EMULATOR_OPERATORS);

/** Every payment from this number succeeds, and every payout to it. */
export const NUMBER = "233241234567";
/** The wallet does not have the money. */
export const POOR_NUMBER = "233241230001";

/** Reads until the result is the expected one. Outcomes come after 0.1 s: the emulator runs 20 times as fast. */
export async function eventually(read, isReached) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const result = await read();
    if (isReached(result)) return result;
    assert.ok(Date.now() < deadline, JSON.stringify(result));
    await new Promise((later) => setTimeout(later, 20));
  }
}
