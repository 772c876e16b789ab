/*
 * Every state of a checkout, defined by the responses of the service. The playground and tests/looks draw these
 * states without a service.
 */

const MINUTE = 60_000;
/** The networks of a session, of which these are down. */
const networks = (...down) =>
  ["MTN", "TELECEL", "AIRTELTIGO"].map((network) => ({ network, status: down.includes(network) ? "DOWN" : "OPERATIONAL" }));
const session = {
  checkoutId: "chk_4f9a",
  reference: "ADOM-10427",
  amount: 149.5,
  currency: "GHS",
  email: "a•••@example.com",
  merchant: "Adom Stores",
  mode: "live",
  returnUrl: "https://shop.example/thanks",
  status: "OPEN",
  attemptsLeft: 5,
  networks: networks(),
  transaction: null,
};
const transaction = {
  transactionId: "txn_81c2",
  status: "PENDING",
  nextAction: "APPROVE_ON_PHONE",
  network: "MTN",
  phoneNumber: "*******567",
  failure: null,
  codeAttemptsLeft: null,
  operatorTransactionId: null,
  updatedAt: "2026-03-06T14:05:00Z",
};
const NEVER = new Promise(() => {});

const json = (body, status = 200, headers = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", date: new Date().toUTCString(), ...headers },
  });
const refusal = (status, code, more = {}) => json({ status, code, title: code, ...more }, status);

const open = (more = {}) => ({ ...session, expiresAt: new Date(Date.now() + 24 * MINUTE + 8_000).toISOString(), ...more });
/** An existing session with this charge. */
const charged = (more, sessionMore = {}) => ({
  "GET /checkout": () => json(open({ attemptsLeft: 4, transaction: { ...transaction, ...more }, ...sessionMore })),
  "GET /status": () => NEVER,
});
const failed = (code, sessionMore) =>
  charged({ status: "FAILED", nextAction: "NONE", failure: { code, message: code, retryable: true } }, sessionMore);
const paid = charged({ status: "SUCCESSFUL", nextAction: "NONE" }, { status: "PAID" });
const code = (nextAction, more = {}) => charged({ nextAction, network: nextAction === "ENTER_VOUCHER" ? "TELECEL" : "MTN", ...more });
const expired = (checkout) => ({
  "GET /checkout": () => refusal(401, "checkout_token_expired", { checkout, reference: session.reference }),
});
const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const busy = () => json({ status: 429, code: "rate_limited", title: "rate_limited" }, 429, { "retry-after": "20" });

const type = (root, selector, text) => {
  const field = root.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
};
const press = (root) => root.querySelector("[type=submit]").click();
const fill = (root) => type(root, "[name=phoneNumber]", "024 123 4567");

/** Name of the state -> the service's responses, and the payer's actions. */
export const states = {
  "form": { answers: { "GET /checkout": () => json(open()) } },
  "form, test mode": { answers: { "GET /checkout": () => json(open({ mode: "test" })) } },
  "form, filled in": { answers: { "GET /checkout": () => json(open()) }, then: fill },
  "form, nothing filled in": { answers: { "GET /checkout": () => json(open()) }, then: press },
  "form, being sent": {
    answers: { "GET /checkout": () => json(open()), "POST /charge": () => NEVER },
    then: (root) => (fill(root), press(root)),
  },
  "form, network not available": {
    answers: { "GET /checkout": () => json(open()), "POST /charge": () => refusal(503, "network_unavailable") },
    then: (root) => (fill(root), press(root)),
  },
  "form, one network down": { answers: { "GET /checkout": () => json(open({ networks: networks("MTN") })) }, then: fill },
  "form, all networks down": { answers: { "GET /checkout": () => json(open({ networks: networks("MTN", "TELECEL", "AIRTELTIGO") })) } },
  "form, too many tries": {
    answers: { "GET /checkout": () => json(open()), "POST /charge": () => refusal(429, "rate_limited") },
    then: (root) => (fill(root), press(root)),
  },
  "form, not sent": {
    answers: { "GET /checkout": () => json(open()), "POST /charge": lost },
    then: (root) => (fill(root), press(root)),
  },
  "form, no attempts left": { answers: { "GET /checkout": () => json(open({ attemptsLeft: 0 })) } },
  "waiting for approval": { answers: charged({}) },
  "waiting for approval, AT": { answers: charged({ network: "AIRTELTIGO" }) },
  "waiting for the outcome": { answers: charged({ nextAction: "WAIT" }) },
  "waiting, no connection": { answers: { ...charged({}), "GET /status": lost } },
  "waiting, busy": { answers: { ...charged({}), "GET /status": busy } },
  "voucher": { answers: code("ENTER_VOUCHER") },
  "voucher, nothing entered": { answers: code("ENTER_VOUCHER"), then: press },
  "voucher, wrong once": {
    answers: {
      ...code("ENTER_VOUCHER"),
      "POST /submit-otp": () =>
        json({ ...transaction, network: "TELECEL", nextAction: "ENTER_VOUCHER", codeAttemptsLeft: 4 }),
    },
    then: (root) => (type(root, "[name=otp]", "000000"), press(root)),
  },
  "passcode": { answers: code("ENTER_OTP") },
  "paid": { answers: paid },
  "paid, operator's id": {
    answers: charged({ status: "SUCCESSFUL", nextAction: "NONE", operatorTransactionId: "1234567890" }, { status: "PAID" }),
  },
  "paid, test mode, nowhere to go back to": { answers: charged({ status: "SUCCESSFUL", nextAction: "NONE" }, { status: "PAID", mode: "test", returnUrl: null }) },
  "paid, not copied": {
    answers: paid,
    then: (root) => {
      Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined });
      root.querySelector("[name=copy]").click();
      setTimeout(() => delete navigator.clipboard);
    },
  },
  ...Object.fromEntries(
    [
      "insufficient_funds", "customer_rejected", "approval_timeout", "wrong_pin", "otp_attempts_exhausted",
      "payer_not_found", "recipient_not_found", "payer_limit", "recipient_limit", "payer_busy", "merchant_float_low",
      "network_unavailable", "operator_refused", "unspecified",
    ].map((reason) => [`failed: ${reason}`, { answers: failed(reason) }]),
  ),
  "failed, no attempts left": { answers: failed("wrong_pin", { attemptsLeft: 0 }) },
  "expired": { answers: expired("OPEN") },
  "expired, still being confirmed": { answers: expired("PENDING") },
  "expired, paid": { answers: expired("PAID") },
  "closed by the shop": { answers: expired("CLOSED") },
  "not a checkout": { answers: { "GET /checkout": () => refusal(401, "invalid_credentials") } },
  "loading": { waits: true, answers: { "GET /checkout": () => NEVER } },
  "unreachable": { answers: { "GET /checkout": lost } },
  "unreachable, busy": { answers: { "GET /checkout": busy } },
};

/** Responds instead of the service. The token is the name of the state. */
export function fetchFrom(states, elsewhere) {
  return (input, init) => {
    const request = new Request(input, init);
    const state = states[decodeURIComponent((request.headers.get("authorization") ?? "").replace("Bearer ", ""))];
    if (!state) return elsewhere(input, init);
    const path = new URL(request.url).pathname.replace(/^\/v1/, "").split("/").slice(0, 2).join("/");
    const answer = state.answers[`${request.method} ${path}`];
    return Promise.resolve(answer ? answer() : refusal(404, "not_found"));
  };
}
