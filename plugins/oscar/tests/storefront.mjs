/* A shopper in Chromium, from the product to the hosted page, and the people of the shop in the dashboard. */
import { randomUUID } from "node:crypto";
import { tokenOf } from "../../support/hosted-page.mjs";
import { waitFor } from "../../support/processes.mjs";

/** The addresses of the products that fill.py makes. */
const SHEA_BUTTER = "shea-butter_1";
export const IN_DOLLARS = "kente-cloth_2";

const ADDRESS = { first_name: "Ama", last_name: "Mensah", line1: "2 High Street", line4: "Accra" };
const PASSWORD = "a-password-for-tests";
const TIMEOUT_MS = 15_000;

/** Opens a page in a context of its own, as another person's browser. */
async function openPage(browser, locale) {
  const context = await browser.newContext({ locale });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}

export function createStorefront(browser, shop, service) {
  /** A guest who has put a product into the basket and looks at the preview of the order. */
  const arrange = async ({ product = SHEA_BUTTER, locale = "en-GB" } = {}) => {
    const email = `${randomUUID()}@example.com`;
    const page = await openPage(browser, locale);
    await page.goto(`${shop.origin}/catalogue/${product}/`);
    await page.locator("#add_to_basket_form button[type=submit]").click();
    await page.goto(`${shop.origin}/checkout/`);
    await page.locator("#id_username").fill(email);
    await page.locator("input[name=options][value=anonymous]").check();
    await page.locator("form.card button[type=submit]").click();
    for (const [name, value] of Object.entries(ADDRESS)) await page.locator(`[name=${name}]`).fill(value);
    await page.locator("#new_shipping_address button[type=submit]").click();
    await page.locator("#view_preview").click();
    return { page, email, placeOrder: () => page.locator("#place-order").click() };
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
    const { number, payments } = await read();
    const waitForStatus = (status) =>
      waitFor(`order ${number} in ${status}`, async () => {
        const order = await read();
        return order.status === status && order;
      });
    return { number, checkoutId: payments.at(-1).checkoutId, read, waitForStatus };
  };

  /** The page of the shop to which the hosted page links back. */
  const statusUrl = async ({ checkoutId }) => (await service.request(`/checkout/${checkoutId}`)).body.returnUrl;

  return { arrange, beginPayment, shopperOf, statusUrl, tokenOf };
}

/** A person of the shop, signed in to the dashboard. */
export async function signIn(browser, shop, name = "owner") {
  const page = await openPage(browser, "en-GB");
  await page.goto(`${shop.origin}/dashboard/login/`);
  await page.locator("#id_username").fill(`${name}@example.com`);
  await page.locator("#id_password").fill(PASSWORD);
  await page.locator("#dashboard_login_form [type=submit]").click();
  await page.waitForURL(`${shop.origin}/dashboard/`);
  const open = (number) => page.goto(`${shop.origin}/dashboard/orders/${number}/`);
  const messages = () => page.locator("#messages").innerText();
  return {
    page,
    open,
    messages,
    /** Refunds with the form of the tab Payment. Returns the message of the page. */
    refund: async (number, amount) => {
      await open(number);
      await page.locator('a[href="#payment"]').click();
      await page.locator("#tua_refund_amount").fill(amount);
      await page.getByRole("button", { name: "Refund mobile money" }).click();
      return messages();
    },
    /** Refunds with Oscar's own payment event of the first line. Returns the message of the page. */
    refundByEvent: async (number, amount) => {
      await open(number);
      await page.locator("[name=selected_line]").first().check();
      await page.locator("#payment_event_check").check();
      await page.locator("#payment_event_type_select").selectOption("refund");
      await page.locator("#amount_input").fill(amount);
      await page.locator("#order_lines_form button[type=submit]").click();
      return messages();
    },
    /** Changes the status of an order. Returns the message of the page. */
    setStatus: async (number, status) => {
      await open(number);
      await page.locator("#order_status_form select[name=new_status]").selectOption(status);
      await page.locator("#order_status_form [type=submit]").click();
      return messages();
    },
  };
}
