/* A shopper in Chromium, from the ticket to the hosted page, and a person of the shop in pretix's back office. */
import { randomUUID } from "node:crypto";
import { tokenOf } from "../../support/hosted-page.mjs";
import { waitFor } from "../../support/processes.mjs";

const PASSWORD = "a-password-for-tests";
const TIMEOUT_MS = 30_000;

/** Opens a page in a context of its own, as another person's browser. */
async function openPage(browser, locale) {
  const context = await browser.newContext({ locale });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}

const submit = (page) => page.locator(".checkout-button-row button[type=submit]").click();

export function createStorefront(browser, shop, service) {
  /** A guest who has put a ticket into the cart, has given an e-mail address, and looks at the next page. */
  const fillCart = async ({ event = "summit", ticket = "Ticket", locale = "en-GB" } = {}) => {
    const email = `${randomUUID()}@example.com`;
    const page = await openPage(browser, locale);
    await page.goto(`${shop.origin}/adom/${event}/`);
    await page.locator("article", { hasText: ticket }).locator("input.input-item-count").fill("1");
    await page.locator("#btn-add-to-cart").click();
    await page.getByText("successfully added to your cart").or(page.getByText("ajoutés à votre panier")).first().waitFor();
    await page.goto(`${shop.origin}/adom/${event}/checkout/start`);
    await page.locator("#id_email").fill(email);
    await submit(page);
    await page.waitForURL(/checkout\/(payment|confirm)\//);
    return { page, email };
  };

  /** A guest who has chosen mobile money, and looks at the last page before the order. */
  const arrange = async (options) => {
    const guest = await fillCart(options);
    await guest.page.locator("input[name=payment][value=tua]").check();
    await submit(guest.page);
    await guest.page.waitForURL(/checkout\/confirm\//);
    return { ...guest, placeOrder: () => submit(guest.page) };
  };

  /** A guest whose order is placed, on the hosted page. */
  const beginPayment = async (options) => {
    const guest = await arrange(options);
    await guest.placeOrder();
    await guest.page.waitForURL((url) => url.origin === service.origin);
    return { ...guest, ...(await shopperOf(guest)), token: tokenOf(guest.page.url()) };
  };

  const shopperOf = async ({ email }) => {
    const read = async () => (await shop.orders(email)).at(-1);
    const { code, secret, attempts } = await read();
    const waitForStatus = (status) =>
      waitFor(`order ${code} with status ${status}`, async () => {
        const order = await read();
        return order.status === status && order;
      });
    const orderUrl = `${shop.origin}/adom/summit/order/${code}/${secret}/`;
    return { code, orderUrl, checkoutId: attempts.at(-1).checkoutId, read, waitForStatus };
  };

  /** The page of the shop to which the hosted page links back. */
  const returnUrl = async ({ checkoutId }) => (await service.request(`/checkout/${checkoutId}`)).body.returnUrl;

  return { fillCart, arrange, beginPayment, shopperOf, returnUrl };
}

/** A person of the shop, signed in to the back office. */
export async function signIn(browser, shop) {
  const page = await openPage(browser, "en-GB");
  await page.goto(`${shop.origin}/control/login`);
  await page.locator("#id_email").fill("owner@example.com");
  await page.locator("#id_password").fill(PASSWORD);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(`${shop.origin}/control/`);
  const event = `${shop.origin}/control/event/adom/summit`;
  const orders = `${event}/orders`;
  const text = () => page.innerText("body");
  return {
    page,
    open: (code) => page.goto(`${orders}/${code}/`),
    /** Refunds with pretix's own button. Returns the text of the page. */
    refund: async (code, amount) => {
      await page.goto(`${orders}/${code}/refund`);
      await page.locator("input[name=start-mode][value=partial]").check();
      await page.locator("input[name=start-partial_amount]").fill(amount);
      // A cancelled order has no choice of what happens to it.
      const nothing = page.locator("input[name=start-action][value=do_nothing]");
      if ((await nothing.count()) > 0) await nothing.check();
      await submit(page);
      const perform = page.locator("button[name=perform]");
      if ((await perform.count()) > 0) await perform.click();
      await page.waitForLoadState();
      return text();
    },
    /** Enters the live key and secret in the settings of the plug-in, and ends the test mode of the event. */
    goLive: async (secretKey, webhookSecret) => {
      await page.goto(`${event}/settings/payment/tua`);
      await page.locator("[name=payment_tua_secret_key_live]").fill(secretKey);
      await page.locator("[name=payment_tua_webhook_secret_live]").fill(webhookSecret);
      await page.locator("form.form-plugins .btn-save").click();
      await page.getByText("Your changes have been saved").waitFor();
      await page.goto(`${event}/live/`);
      await page.getByRole("button", { name: "Disable test mode" }).click();
      await page.getByText("Your shop is currently in production mode").waitFor();
    },
    /** Cancels an order. */
    cancelOrder: async (code) => {
      await page.goto(`${orders}/${code}/transition?status=c`);
      await page.locator("form button.btn-primary[type=submit], form button.btn-danger[type=submit]").first().click();
      await page.waitForLoadState();
    },
    /** Cancels the first payment of an order. Returns the text of the page. */
    cancelPayment: async (code) => {
      await page.goto(`${orders}/${code}/`);
      await page.locator('a[href$="/cancel"][href*="/payments/"]').first().click();
      await page.locator("form .btn-primary, form .btn-danger").first().click();
      await page.waitForLoadState();
      return text();
    },
  };
}
