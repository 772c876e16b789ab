/*
 * The dashboard and the documentation in a browser, with the real service behind it: what people do there, and how every page looks to whom.
 *
 * TUA_BIN=target/debug/tua node dashboard.mjs ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` in NODE_PATH.
 * `cargo xtask test --only dashboard` runs it.
 */
import { end } from "../looks/browser.mjs";
import { approval, enrolment, key, passkey, passkeyAlone, provider, refund, signOut } from "./journeys.mjs";
import { live, vendored } from "./live.mjs";
import { byKeyboard, everyPage, signedOutPages } from "./pages.mjs";
import { account, charge, final, run, stop } from "./service.mjs";

try {
  const add = ["webhook", "add", "--account", account.accountId, "--mode", "test"];
  const { endpointId } = run(...add, "--url", "http://127.0.0.1:9/hook?a=<b>");
  const { linkId } = run("link", "create", "--account", account.accountId, "--mode", "test", "--title", "<b>Robe", "--reference", "W".repeat(64));
  // Paid, failed, and flagged for review soon after.
  const payments = [await charge(12.5, "0241234567", "<img src=x onerror=alert(1)>"), await charge(3, "0240000001", "cart-2")];
  for (const payment of payments) await final(payment);
  payments.push(await charge(7, "0241230022", "W".repeat(64)));
  await signedOutPages(run("user", "invite", "yaw@example.com", "--account", account.accountId, "--role", "viewer").link);
  const owner = await enrolment();
  await key(owner);
  await approval(owner);
  await refund(owner, payments[0]);
  vendored();
  await live(owner);
  await everyPage(owner, payments, endpointId, linkId);
  await passkey(owner);
  await passkeyAlone();
  await provider(owner);
  await byKeyboard(owner);
  await signOut(owner);
} finally {
  stop();
}
await end();
