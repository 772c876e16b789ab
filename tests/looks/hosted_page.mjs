/*
 * The script of the hosted page, where the service or an extension does something to the page: the payer always sees one
 * screen, which goes on.
 */
import test from "node:test";
import { check } from "../check.mjs";
import { close, open, origin } from "./stage.mjs";
import { json, session, transaction } from "./visit.mjs";

const NUMBER = "020 123 4567";
const radio = (network) => `<label><input type="radio" name="network" value="${network}">${network}</label>`;

/** What the server draws, with the names and ids of the component's views. */
const SCREENS = {
  form: `<section class="tua"><form name="pay" method="post"><label for="tua-0-phone">Number</label>
    <input type="tel" name="phoneNumber" id="tua-0-phone">${["MTN", "TELECEL", "AIRTELTIGO"].map(radio).join("")}
    <button type="submit">Pay</button></form></section>`,
  waiting: `<section class="tua"><div class="tua-body"><h2>Approve on your phone</h2>
    <form method="post"><button name="check" type="submit">Check now</button></form></div></section>`,
};
const HINTS = '{"20":"TELECEL","24":"MTN","23":"AIRTELTIGO"}';
const markup = (screen) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pay</title>
  <script type="module" src="/www/hosted/pay.js"></script>
  <script type="module" src="/pkg/tua-checkout.js"></script></head>
  <body><main data-hints='${HINTS}'><h1>Pay</h1>${screen}
  <tua-checkout hidden token="tua_checkout_x" lang="en"></tua-checkout></main></body></html>`;

/** Opens the page with this screen; `answer` handles the requests for `/v1`. */
async function openPage(name, screen, answer, prepare) {
  const visit = { loads: 0 };
  visit.page = await open(name, {}, {
    address: `${origin}/pay`,
    async before(page) {
      await page.route("**/pay", (route) => (visit.loads++, route.fulfill({ contentType: "text/html", body: markup(screen) })));
      await page.route("**/v1/**", answer);
      await prepare?.(page);
    },
  });
  visit.close = () => close(visit.page.context());
  return visit;
}

const html = (status) => (route) => route.fulfill({ status, contentType: "text/html", body: "<h1>A proxy</h1>" });
const UNUSABLE = {
  "no connection": (route) => route.abort(),
  "a proxy's 401": html(401),
  "a portal's 200": html(200),
  "an empty 200": (route) => route.fulfill({ status: 200, body: "" }),
  "no answer": () => {},
};

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** A payer who waits sees the outcome although scripts run and the API cannot be read: the page is loaded again. */
async function looksAgain() {
  for (const [what, answer] of Object.entries(UNUSABLE)) {
    for (const [screen, isLoadedAgain] of [["waiting", true], ["form", false]]) {
      const visit = await openPage(`hosted page, ${what}`, SCREENS[screen], answer, (page) => page.clock.install());
      for (let step = 0; step < 30 && visit.loads < 2; step++) {
        // A page that is loaded again meanwhile may never answer.
        await Promise.race([visit.page.clock.runFor(3_000).catch(() => {}), pause(2_000)]);
        await pause(50);
      }
      await check(`hosted page, ${what}: ${screen}`, visit.loads > 1 !== isLoadedAgain && `it was loaded ${visit.loads} times`);
      await visit.close();
    }
  }
}

/** What an extension does to the page before the component has taken over. */
const CHANGES = {
  nothing: () => {},
  "the body's markup is set again": () => (document.body.innerHTML = document.body.innerHTML),
  "the page is replaced by its copy": () => {
    const main = document.querySelector("main");
    main.replaceWith(main.cloneNode(true));
  },
  "the screen is replaced by its copy": () => {
    const screen = document.querySelector("main .tua");
    screen.replaceWith(screen.cloneNode(true));
  },
  "the screen is copied": () => {
    const screen = document.querySelector("main .tua");
    screen.after(screen.cloneNode(true));
  },
  "the screen is wrapped": () => {
    const screen = document.querySelector("main .tua");
    const wrapper = document.createElement("div");
    screen.replaceWith(wrapper);
    wrapper.append(screen);
  },
  "the screen is removed": () => document.querySelector("main .tua").remove(),
  "an element of the same class is inserted": () =>
    document.querySelector("main").prepend(Object.assign(document.createElement("div"), { className: "tua" })),
  "a hidden field of the same name is inserted": () => {
    const decoy = Object.assign(document.createElement("input"), { name: "phoneNumber", type: "tel", value: "0241111111", hidden: true });
    document.querySelector("main .tua").prepend(decoy);
  },
};
/** Whatever happened to the page, the component takes over once, with what was typed. */
async function takesOver() {
  const paid = transaction({ status: "SUCCESSFUL", nextAction: "NONE" });
  for (const [what, change] of Object.entries(CHANGES)) {
    for (const [screen, words] of [["waiting", "Payment successful"], ["form", "Pay GH₵10.50"]]) {
      const name = `hosted page, ${what}: ${screen}`;
      let release;
      const released = new Promise((resolve) => (release = resolve));
      const seen = screen === "waiting" ? session({ status: "PAID", transaction: paid }) : session();
      const { page, close } = await openPage(name, SCREENS[screen], (route) => route.fulfill(json(seen)), (page) =>
        page.route("**/*.wasm", async (route) => (await released, route.continue().catch(() => {}))),
      );
      if (screen === "form") await page.locator("[name=phoneNumber]:visible").first().fill(NUMBER);
      await page.evaluate(change);
      release();
      const isShown = await page.locator("tua-checkout").getByText(words).first().waitFor({ timeout: 10_000 }).then(() => true, () => false);
      await check(name, !isShown && (await page.locator("body").innerText()));
      await check(`${name}, alone`, (await page.locator("section.tua").locator("visible=true").count()) !== 1 && (await page.locator("body").innerText()));
      // A copy, or what is gone, may have lost what was typed.
      if (screen === "form" && !/removed|markup/.test(what)) {
        const number = await page.locator("[name=phoneNumber]").locator("visible=true").first().inputValue();
        await check(`${name}, the number`, number !== NUMBER && number);
      }
      await close();
    }
  }
}

/** The network that a number suggests, also where its first digits are those of the country. */
async function suggests() {
  const { page, close } = await openPage("hosted page, hints", SCREENS.form, () => {});
  for (const [number, network] of [["024", "MTN"], ["+233 (0)24", "MTN"], ["0023320", "TELECEL"], ["233201234567", "TELECEL"], ["0233123456", "AIRTELTIGO"], ["233123456", "AIRTELTIGO"], ["+233 20 1234", "TELECEL"]]) {
    await page.locator("[name=phoneNumber]:visible").first().fill(number);
    const suggested = await page.locator("main > section [name=network]:checked").getAttribute("value", { timeout: 2_000 }).catch(() => "none");
    await check(`hosted page, hint of ${number}`, suggested !== network && suggested);
  }
  await close();
}

export async function hostedPage() {
  for (const part of [looksAgain, takesOver, suggests]) await test(part.name, part);
}
