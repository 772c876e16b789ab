/*
 * The dashboard and the documentation in a browser, with the real service behind it: what people do there, and how every page looks to whom.
 *
 * TUA_BIN=target/debug/tua node --test-reporter=spec dashboard.mjs ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` in NODE_PATH.
 * `cargo xtask test --only dashboard` runs it. With `TUA_ENGINE=firefox` or `webkit` it runs in that engine.
 */
import test, { after } from "node:test";
import { TIMEOUT_MS } from "../check.mjs";
import { browser, isChromium } from "./browser.mjs";
import { approval, enrolment, key, passkey, passkeyAlone, provider, refund, signOut } from "./journeys.mjs";
import { lists } from "./lists.mjs";
import { live, vendored } from "./live.mjs";
import { ask, pay, sendButtons, till } from "./money.mjs";
import { byKeyboard, everyPage, posterOnPaper, signedOutPages } from "./pages.mjs";
import { account, charge, final, run, stop } from "./service.mjs";

/* What the first tests make and the later ones use. */
let owner;
let payments;
let endpointId;
let linkId;

/** A webhook, a link, and payments: one paid, one failed, and one that is flagged for review soon after. */
async function setUp() {
  const add = ["webhook", "add", "--account", account.accountId, "--mode", "test"];
  ({ endpointId } = run(...add, "--url", "http://127.0.0.1:9/hook?a=<b>"));
  ({ linkId } = run("link", "create", "--account", account.accountId, "--mode", "test", "--title", "<b>Robe", "--reference", "W".repeat(64)));
  payments = [await charge(12.5, "0241234567", "<img src=x onerror=alert(1)>"), await charge(3, "0240000001", "cart-2")];
  for (const payment of payments) await final(payment);
  payments.push(await charge(7, "0241230022", "W".repeat(64)));
}

/* In this order: each goes on where the one before has ended. */
const JOURNEYS = {
  setUp,
  signedOutPages: () => signedOutPages(run("user", "invite", "yaw@example.com", "--account", account.accountId, "--role", "viewer").link),
  enrolment: async () => (owner = await enrolment()),
  key: () => key(owner),
  ask: () => ask(owner),
  pay: () => pay(owner),
  till: () => till(),
  sendButtons: () => sendButtons(owner),
  approval: () => approval(owner),
  refund: () => refund(owner, payments[0]),
  lists: () => lists(owner),
  vendored: () => vendored(),
  live: () => live(owner),
  everyPage: () => everyPage(owner, payments, endpointId, linkId),
  posterOnPaper: () => posterOnPaper(owner, linkId),
  passkey: () => passkey(owner),
  passkeyAlone: () => passkeyAlone(),
  provider: () => provider(owner),
  byKeyboard: () => byKeyboard(owner),
  signOut: () => signOut(owner),
};

/* They need an authenticator that a program controls, or paper. */
const IN_CHROMIUM = ["passkey", "passkeyAlone", "posterOnPaper"];

for (const [name, journey] of Object.entries(JOURNEYS)) {
  const skip = !isChromium && IN_CHROMIUM.includes(name) && "only Chromium has virtual authenticators, and prints without a dialogue";
  test(name, { timeout: TIMEOUT_MS, skip }, journey);
}
after(async () => {
  stop();
  await browser.close();
});
