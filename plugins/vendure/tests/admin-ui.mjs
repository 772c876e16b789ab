/* An administrator in Vendure's Admin UI, in a browser. */
import { chromium } from "playwright-core";
import { inBrowser } from "../../support/browser.mjs";
import { ADMIN } from "./vendure.mjs";

/** Signs in, and walks through the page of an order. */
export const onOrderPage = (shop, { id }, walk) =>
  inBrowser(chromium, `${shop.origin}/admin/login`, async (page) => {
    await page.getByPlaceholder("Username").fill(ADMIN.username);
    await page.getByPlaceholder("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.locator("vdr-main-nav").first().waitFor();
    await page.goto(`${shop.origin}/admin/orders/${id}`);
    await walk(page);
  });

/** Opens the dialog of a refund, and gives a reason. Nothing is chosen yet. */
export async function openRefund(page) {
  await page.locator("vdr-action-bar-dropdown-menu button.icon-button").click();
  await page.getByRole("button", { name: "Refund & cancel order" }).click();
  const dialog = page.locator("vdr-refund-order-dialog");
  await dialog.locator("ng-select").click();
  await page.getByRole("option", { name: "Customer request" }).click();
  const sum = dialog.locator("vdr-form-field", { hasText: "Refund total" });
  return {
    /** Refunds a sum in cedis, and keeps the goods sold. */
    setSum: async (cedis) => {
      await sum.getByTitle("Edit field").click();
      await sum.locator("input").fill(cedis);
    },
    /** Refunds pieces of the only line, and returns them to stock. */
    setPieces: (pieces) => dialog.locator("vdr-data-table-2 input[type=number]").fill(pieces),
    button: page.getByRole("button", { name: /^\s*Refund .*\d\.\d\d/ }),
  };
}

/** Settles the only pending refund with an id that the administrator types. */
export async function settleRefundByHand(page, id) {
  await page.locator("vdr-order-payment-card").getByRole("button", { name: "Settle refund" }).click();
  const dialog = page.locator("vdr-modal-dialog");
  await dialog.locator("input").fill(id);
  await dialog.getByRole("button", { name: "Settle refund" }).click();
}

/** Waits for what the Admin UI says about a refund. */
export const waitForNotification = (page, text) => page.getByText(text).first().waitFor();
