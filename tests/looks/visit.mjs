/*
 * A merchant's page with one checkout: a strict policy, Trusted Types enforced, and a service that answers from here.
 */
import { check } from "../check.mjs";
import { close, open, origin } from "./stage.mjs";

export const session = (more = {}) => ({
  checkoutId: "chk_1", reference: "INV-1", amount: 10.5, currency: "GHS", merchant: "Adom Stores", mode: "test",
  expiresAt: new Date(Date.now() + 1_500_000).toISOString(), returnUrl: null, status: "OPEN", attemptsLeft: 5, transaction: null, ...more,
});
export const transaction = (more = {}) => ({
  transactionId: "txn_1", status: "PENDING", nextAction: "APPROVE_ON_PHONE", network: "MTN", phoneNumber: "*******567",
  failure: null, updatedAt: "2026-03-06T14:05:00Z", ...more,
});
const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "date, etag, retry-after, preference-applied" };
export const json = (body, status = 200, headers = {}) => ({
  status,
  headers: { "content-type": "application/json", date: new Date().toUTCString(), ...CORS, ...headers },
  body: JSON.stringify(body),
});
export const refusal = (status, code, headers) => json({ status, code, title: code }, status, headers);

/** Inside the page: whether the component has taken the place of what the loader has drawn. */
const hasTakenOver = () => {
  const place = document.querySelector("tua-checkout")?.shadowRoot.querySelector("div > div:not([hidden]) > section");
  return Boolean(place && !place.querySelector("[id^=tua-0-]"));
};

/** Inside the page: what the payer reads, or where the page has gone instead. */
const shownText = () => document.querySelector("tua-checkout")?.shadowRoot.querySelector("div > div:not([hidden])")?.innerText ?? location.href;

/**
 * A page with one checkout. `answers` maps "GET /checkout" and the like to an answer, a function that makes one, or
 * nothing for no connection; everything asked is noted. Pauses are fast-forwarded by `pass`. `prepare` is called with
 * the page before it is opened; `isEarly` does not wait for the component.
 */
export async function visit(name, answers, { token = "tua_checkout_x", script, clock = true, lang, prepare, isEarly = false } = {}) {
  const asked = [];
  const page = await open(name, {}, {
    address: `${origin}/tests/looks/plain.html`,
    async before(page) {
      if (clock) await page.clock.install();
      if (script) await page.addInitScript(script);
      await prepare?.(page);
      await page.route("**/v1/**", async (route) => {
        const request = route.request();
        const [resource] = new URL(request.url()).pathname.replace("/v1", "").match(/^\/[^/]+/);
        const what = `${request.method()} ${resource}`;
        asked.push(what);
        const answer = typeof answers[what] === "function" ? await answers[what](request) : answers[what];
        await (answer ? route.fulfill(answer) : route.abort()).catch(() => {});
      });
    },
  });
  const events = () => page.evaluate(() => window.events);
  const times = (what) => asked.filter((one) => one === what).length;
  const reads = async (words) => {
    const found = await page.getByText(words).first().waitFor({ timeout: 10_000 }).then(() => true, () => false);
    await check(`${name}: ${words}`, !found && `the page reads ${JSON.stringify(await page.evaluate(shownText))}`);
  };
  const pass = (seconds) => page.clock.runFor(seconds * 1_000);
  await page.evaluate(([token, lang]) => window.put(token, lang), [token, lang]);
  const takesOver = () => page.waitForFunction(hasTakenOver, null, { polling: 20, timeout: 20_000 });
  if (token && !isEarly) await takesOver();
  return { page, asked, times, reads, pass, events, takesOver, close: () => close(page.context()) };
}

