/* People in Chromium, and the pages of a storefront. */
import { once } from "node:events";
import { createServer } from "node:http";

const PHONE = "0241009999";

/** Serves a page with the embedded component for the token in its query, and a page to return to. */
export async function startPages(service) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    if (pathname === "/return") return response.end("<!doctype html><html lang=en><title>Shop</title><h1>Back in the shop</h1>");
    response.end(`<!doctype html><html lang="en"><title>Shop</title>
      <script type="module" src="${service}/sdk/tua-checkout.js"></script>
      <tua-checkout token="${searchParams.get("token")}"></tua-checkout>
      <p role="status" id="seen"></p>
      <script>addEventListener("tua-successful", () => { document.querySelector("#seen").textContent = "The component reports the payment."; });</script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://localhost:${server.address().port}`;
  return { origin, returnUrl: `${origin}/return`, stop: () => server.close() };
}

/** How long a page may take for one step, in milliseconds: the admin of a shop loads many scripts. */
const STEP_TIMEOUT_MS = 90_000;

/** Walks through a page in a browser of its own, and shows what was on the page where that fails. */
export async function inBrowser(chromium, url, walk) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  try {
    await page.goto(url);
    await walk(page);
  } catch (error) {
    throw new Error(`${error.message}\n${await page.innerText("body").catch(() => "")}`);
  } finally {
    await browser.close();
  }
}

async function pay(page, tua) {
  await page.getByRole("button", { name: "Pay GH₵18.00" }).waitFor();
  await page.getByRole("textbox", { name: "Mobile money number" }).fill(PHONE);
  await page.getByRole("button", { name: "Pay GH₵18.00" }).click();
  await tua.approve(PHONE);
  await page.getByRole("heading", { name: "Payment successful" }).waitFor();
}

/** Pays on the hosted page, and follows its link back to the shop. */
export const payOnHostedPage = (chromium, tua, pages, url) =>
  inBrowser(chromium, url, async (page) => {
    await pay(page, tua);
    await page.locator(`a[href^="${pages.returnUrl}"]`).click();
    await page.getByRole("heading", { name: "Back in the shop" }).waitFor();
  });

/** Pays in the component that the storefront's page embeds. */
export const payInStorefront = (chromium, tua, pages, token) =>
  inBrowser(chromium, `${pages.origin}/pay?token=${encodeURIComponent(token)}`, async (page) => {
    await pay(page, tua);
    await page.getByText("The component reports the payment.").waitFor();
  });
