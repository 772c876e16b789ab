/*
 * Pages that refresh themselves: what changes is shown without a reload, and nothing of the person's is lost.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../check.mjs";
import { axe, browser, close, require } from "./browser.mjs";
import { account, call, final, run } from "./service.mjs";

/** The copy of htmx is the file that its npm package has. */
export async function vendored() {
  const published = require.resolve("htmx.org/dist/htmx.min.js");
  const copy = join(process.argv[2], "www/dashboard/htmx.min.js");
  await check("htmx is the published file", !readFileSync(copy).equals(readFileSync(published)) && "it differs");
}

/** The outcome of a payout appears by itself, next to a note that somebody is writing and a part that is open. */
export async function live(owner) {
  run("account", "set", "--account", account.accountId, "--mode", "test", "--payout-approval-above", "0");
  const pay = () => call("POST", "/payout", { amount: 4, phoneNumber: "0241234567", network: "MTN" });
  const { transactionId } = await pay();
  const context = await browser.newContext({ storageState: await owner.context.storageState() });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));

  const list = await context.newPage();
  await list.goto(owner.at("/payments"));
  const { transactionId: later } = await pay();
  await list.locator(`a[href$="${later}"]`).waitFor();

  await page.goto(owner.at(`/payments/${transactionId}`));
  await page.evaluate(() => (window.wasLoadedOnce = true));
  await check("a payment that changes, axe", (await axe(page)).join("\n  "));
  const other = await context.newPage();
  await other.goto(owner.at("/payouts"));
  await other.locator(`form[action$="${transactionId}/approve"] button`).click();
  await other.locator(`form[action$="${transactionId}/approve"] button`).click();
  await check("an approved payout", (await final(transactionId)) !== "SUCCESSFUL" && "it is not paid");
  await page.locator("[role=status] .badge.good").waitFor();
  await check("shown without a reload", !(await page.evaluate(() => window.wasLoadedOnce)) && "it was loaded again");
  await check("no more requests when it is final", (await page.locator("#live").getAttribute("hx-get")) && "it goes on asking");

  await page.goto(owner.at("/home"));
  await page.getByText("Table of the days").click();
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("htmx:after:swap", resolve, { once: true });
        window.htmx.trigger("#live", "every");
      }),
  );
  await check("an open part stays open", (await page.locator("#live details[open]").count()) !== 1 && "it was closed");

  // The session ends meanwhile: the page leads to the sign-in, as one that is loaded again.
  await context.clearCookies();
  await page.evaluate(() => window.htmx.trigger("#live", "every"));
  await page.waitForURL(/sign-in/);
  await check("faults on the console", faults.join("\n  "));
  await close(context);
}
