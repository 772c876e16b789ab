/* An administrator in Medusa's admin, in a browser. */
import { chromium } from "playwright-core";
import { inBrowser } from "../../support/browser.mjs";
import { ADMIN } from "./medusa.mjs";

/** Signs in, and walks through the page of an order. */
export const onOrderPage = (shop, { id }, walk) =>
  inBrowser(chromium, `${shop.origin}/app/orders/${id}`, async (page) => {
    await page.getByPlaceholder("Email").fill(ADMIN.email);
    await page.getByPlaceholder("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Continue with Email" }).click();
    await page.getByRole("heading", { name: "Payments" }).waitFor();
    await walk(page);
  });

/** Opens the form of a refund from the menu of the payment. It has what the payment has brought as its amount. */
export async function openRefund(page) {
  const payment = page.locator("div.grid", { hasText: "pp_tua_tua" }).last();
  await payment.locator("button[aria-haspopup=menu]").click();
  await page.getByRole("menuitem", { name: "Refund" }).click();
  const form = page.getByRole("dialog");
  return { amount: form.getByLabel("Amount"), save: form.getByRole("button", { name: "Save" }) };
}

/** Waits until the page shows a status of the payment, which it does at the order and at the payments. */
export const waitForStatus = (page, status) => page.getByText(status, { exact: true }).first().waitFor();
