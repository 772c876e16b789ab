/* A payer on the hosted page, in a page of a browser that is there already. */
import { waitFor } from "./processes.mjs";

const PAYER = "0241009999";

/** The token of the payer in the address of the hosted page. */
export const tokenOf = (url) => new URL(url).searchParams.get("key");

/** Pays 18 cedis on the hosted page, and approves on the phone. */
export async function payOnHostedPage(page, tua) {
  await page.getByRole("textbox", { name: "Mobile money number" }).fill(PAYER);
  await page.locator("input[name=network][value=MTN]").check();
  await page.getByRole("button", { name: "Pay GH₵18.00" }).click();
  await tua.approve(PAYER);
  const successful = page.getByRole("heading", { name: "Payment successful" });
  await waitFor("the success on the hosted page", async () => {
    // A service without the component's wasm asks only when the payer says so.
    const approved = page.getByText("I have approved it");
    if (await approved.isVisible()) await approved.click({ timeout: 1_000 });
    return successful.isVisible();
  });
}
