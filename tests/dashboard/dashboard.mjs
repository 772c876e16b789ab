/*
 * The dashboard in a browser, with the real service behind it: what people do there, and how every page looks to whom.
 *
 * TUA_BIN=target/debug/tua node dashboard.mjs ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` in NODE_PATH.
 * `cargo xtask test --only dashboard` runs it.
 */
import { end } from "../looks/browser.mjs";
import { approval, enrolment, key, signOut } from "./journeys.mjs";
import { byKeyboard, everyPage } from "./pages.mjs";
import { account, charge, final, run, stop } from "./service.mjs";

try {
  const add = ["webhook", "add", "--account", account.accountId, "--mode", "test"];
  const { endpointId } = run(...add, "--url", "http://127.0.0.1:9/hook?a=<b>");
  // Paid, failed, and flagged for review soon after.
  const payments = [await charge(12.5, "0241234567", "<img src=x onerror=alert(1)>"), await charge(3, "0240000001", "cart-2")];
  for (const payment of payments) await final(payment);
  payments.push(await charge(7, "0241230022", "W".repeat(64)));
  const owner = await enrolment();
  await key(owner);
  await approval(owner);
  await everyPage(owner, payments, endpointId);
  await byKeyboard(owner);
  await signOut(owner);
} finally {
  stop();
}
await end();
