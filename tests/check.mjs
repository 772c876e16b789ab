/*
 * What tests in JavaScript share.
 */
import assert from "node:assert/strict";
import test from "node:test";

/** The time limit of a test with many checks: far longer than any of them takes on a slow machine. */
export const TIMEOUT_MS = 600_000;

/** A subtest of the test that is running; `fault` is what is wrong, or false or empty. A failure does not end the test. */
export const check = (name, fault) => test(name, () => assert.ok(!fault, String(fault)));
