// The simulated phone: shows the prompts that wait for the payer's decision, and sends the decision.
// It keeps one long poll open.

import { TEXTS } from "./texts.js";

const $ = (id) => document.getElementById(id);
const PROMPTS = "/sandbox/phone/prompts";
const NETWORKS = { MTN: "MTN MoMo", TELECEL: "Telecel Cash", AIRTELTIGO: "AT Money" };

const query = new URLSearchParams(location.search);
// The language of the page that leads here, or else that of the browser.
const language = (query.get("lang") ?? navigator.language).startsWith("fr") ? "fr" : "en";
const t = TEXTS[language];

let number = digits(query.get("number") ?? "");
let etag = null;
let asking = null; // aborts the running poll
let deciding = new Set();
let known = new Set();

// --- Rendering ------------------------------------------------------------------------------

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const spaced = (phone) => phone.replace(/^(\d{3})(\d{3})(\d{4})$/, "$1 $2 $3");
const sum = (prompt) => `GH₵${new Intl.NumberFormat(`${language}-GH`, { minimumFractionDigits: 2 }).format(prompt.amount)}`;
const spoken = (prompt) =>
  prompt.kind === "voucher"
    ? t.spokenVoucher(prompt.voucher, sum(prompt), prompt.merchant)
    : t.spokenRequest(NETWORKS[prompt.network] ?? prompt.network, prompt.merchant, sum(prompt));

function approval(prompt) {
  const button = (decision, label, className) => {
    const made = element("button", { type: "button", className, textContent: label });
    made.append(element("span", { className: "hidden", textContent: t.about(sum(prompt), prompt.merchant) }));
    made.addEventListener("click", () => decide(prompt, decision));
    return made;
  };
  return element(
    "div",
    { className: "body" },
    element("p", { className: "ask", textContent: t.pay[0] }, element("strong", { textContent: prompt.merchant }), t.pay[1]),
    element("p", { className: "sum", textContent: sum(prompt) }),
    element("p", { className: "from", textContent: t.from(spaced(prompt.phoneNumber)) }),
    ...(prompt.message ? [element("p", { className: "note", textContent: t.quoted(prompt.message) })] : []),
    element("p", { className: "failed error" }),
    element("div", { className: "buttons" }, button("decline", t.decline, "no"), button("approve", t.approve, "yes")),
  );
}

function voucher(prompt) {
  return element(
    "div",
    { className: "body ussd" },
    element("p", { className: "dialled", textContent: "*110#" }),
    element("p", { textContent: t.voucher(prompt.merchant, sum(prompt), spaced(prompt.phoneNumber)) }),
    element("p", { className: "voucher", textContent: prompt.voucher }),
    element("p", { className: "from", textContent: t.typeVoucher }),
  );
}

function card(prompt) {
  const made = element(
    "li",
    { className: "prompt" },
    element("h2", { textContent: NETWORKS[prompt.network] ?? prompt.network }),
    prompt.kind === "voucher" ? voucher(prompt) : approval(prompt),
  );
  made.dataset.reference = prompt.reference;
  made.dataset.network = prompt.network;
  return made;
}

/** Adds and removes single cards, so that the other buttons keep their positions. */
function show(prompts) {
  const list = $("prompts");
  const waiting = new Set(prompts.map(({ reference }) => reference));
  for (const shown of [...list.children]) {
    if (waiting.has(shown.dataset.reference)) continue;
    const focused = shown.contains(document.activeElement);
    shown.remove();
    if (focused) list.querySelector("button.yes")?.focus();
  }
  // The newest card is on top.
  for (const prompt of prompts.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))) {
    const selector = `[data-reference="${CSS.escape(prompt.reference)}"]`;
    if (!list.querySelector(selector)) list.prepend(card(prompt));
  }
  const fresh = prompts.filter(({ reference }) => !known.has(reference));
  if (fresh.length > 0) say(fresh.map(spoken).join(" "));
  known = waiting;
  $("idle").classList.toggle("busy", prompts.length > 0);
}

function say(text) {
  $("said").textContent = text;
}

function trouble(text) {
  if ($("trouble").textContent !== text) $("trouble").textContent = text;
  $("signal").classList.toggle("none", text !== "");
}

// --- Polling -------------------------------------------------------------------------------

const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

async function ask(signal) {
  const ofNumber = number ? `?number=${number}` : "";
  const headers = { prefer: "wait=20" };
  if (etag) headers["if-none-match"] = etag;
  const late = AbortSignal.timeout(30_000);
  const response = await fetch(PROMPTS + ofNumber, { headers, cache: "no-store", signal: AbortSignal.any([signal, late]) });
  if (response.status === 304) return;
  if (!response.ok) throw new Error(`status ${response.status}`);
  const unchanged = response.headers.get("etag") === etag;
  const { prompts } = await response.json();
  etag = response.headers.get("etag");
  show(prompts);
  // If the server does not hold the request, pause between two requests.
  if (unchanged || !etag) await pause(1000, signal);
}

async function listen() {
  asking?.abort();
  const mine = (asking = new AbortController());
  let failures = 0;
  while (!mine.signal.aborted) {
    try {
      await ask(mine.signal);
      failures = 0;
      trouble("");
    } catch {
      if (mine.signal.aborted) return;
      failures += 1;
      if (failures > 1) trouble(t.noSignal);
      await pause(Math.min(500 * 2 ** failures, 8000), mine.signal);
    }
  }
}

async function decide(prompt, decision) {
  const { reference } = prompt;
  if (deciding.has(reference)) return;
  deciding.add(reference);
  const shown = $("prompts").querySelector(`[data-reference="${CSS.escape(reference)}"]`);
  shown.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(`${PROMPTS}/${encodeURIComponent(reference)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ decision }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok && response.status !== 404) throw new Error(`status ${response.status}`);
    const done = decision === "approve" ? t.approved(sum(prompt), prompt.merchant) : t.declined(prompt.merchant);
    say(response.ok ? done : t.noLongerWaits);
    $("idle-text").textContent = response.ok ? done : t.noLongerWaits;
    // The next poll removes the card too, but the payer should not wait for it.
    show([...known].filter((other) => other !== reference).map((other) => ({ reference: other })));
  } catch {
    shown.querySelector(".failed").textContent = t.notSent;
    say(t.notSent);
  } finally {
    deciding.delete(reference);
    shown.removeAttribute("aria-busy");
  }
}

// --- Event handlers -------------------------------------------------------------------------------

/** Ten digits from a typed number, or the text itself if it is not a number. */
function digits(typed) {
  const bare = typed.replace(/[\s().-]/g, "").replace(/^(\+|00)?233(?=0?\d{9}$)/, "").replace(/^(?=[1-9]\d{8}$)/, "0");
  return bare;
}

$("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = digits($("number").value);
  const good = wanted === "" || /^0\d{9}$/.test(wanted);
  $("number-error").textContent = good ? "" : t.tenDigits;
  $("number").setAttribute("aria-invalid", !good);
  if (!good) return;
  number = wanted;
  $("number").value = spaced(wanted);
  etag = null;
  show([]);
  say(wanted ? t.showing(spaced(wanted)) : t.showingAll);
  listen();
});

function tick() {
  const now = new Intl.DateTimeFormat("en-GH", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" }).format(new Date());
  $("clock").textContent = now;
  $("hour").textContent = now;
  setTimeout(tick, 60_000 - (Date.now() % 60_000));
}

// Poll at once when the page becomes visible again.
document.addEventListener("visibilitychange", () => document.hidden || listen());
window.addEventListener("online", listen);

/** Replaces the English texts of the page by those of the chosen language. */
function translate() {
  document.documentElement.lang = language;
  document.title = t.title;
  for (const shown of document.querySelectorAll("[data-text]")) shown.textContent = t[shown.dataset.text];
  $("number").placeholder = t.anyones;
}

translate();
if (!/^0\d{9}$/.test(number)) number = "";
$("number").value = spaced(number);
tick();
listen();
