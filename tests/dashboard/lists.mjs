/*
 * Lists: how much of one a phone shows, what opens a row, the keys, and what is marked.
 */
import { check } from "../check.mjs";
import { browser, close } from "./browser.mjs";
import { call } from "./service.mjs";

/** The rows of payments, refunds and links, on a phone and on a wide screen. */
export async function lists(owner) {
  const more = Array.from({ length: 8 }, (_, n) => ({ amount: 1 + n, phoneNumber: "0241234567", network: "MTN", reference: `row-${n}` }));
  for (const one of more) await call("POST", "/charge", one);
  const storageState = await owner.context.storageState();
  const phone = await browser.newContext({ storageState, viewport: { width: 390, height: 740 } });
  const page = await phone.newPage();
  await page.goto(owner.at("/payments"));
  const shown = await page.evaluate(() => {
    const bar = document.querySelector(".tabs").getBoundingClientRect().top;
    return [...document.querySelectorAll("tbody tr")].filter((row) => row.getBoundingClientRect().bottom <= bar).length;
  });
  await check("payments that a phone shows at once", shown < 5 && shown);
  for (const path of ["/refunds", "/links"]) {
    await page.goto(owner.at(path));
    const height = await page.evaluate(() => document.querySelector("tbody tr").getBoundingClientRect().height);
    await check(`a row of ${path} on a phone`, height > 80 && `${height} pixels`);
  }
  await close(phone);

  const desk = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
  const wide = await desk.newPage();
  for (const path of ["/payments", "/refunds", "/links"]) {
    await wide.goto(owner.at(path));
    const { address, others } = await wide.evaluate(() => {
      const row = document.querySelector("tbody tr");
      const hrefOf = (element) => element?.closest("a.whole")?.getAttribute("href");
      const address = hrefOf(row.querySelector("a.whole"));
      // The end of a cell has no text, and no link of its own.
      const others = [...row.cells].filter((cell) => {
        const { right, top, bottom } = cell.getBoundingClientRect();
        return hrefOf(document.elementFromPoint(right - 3, (top + bottom) / 2)) !== address;
      });
      return { address, others: others.map((cell) => cell.dataset.label) };
    });
    await check(`every cell of ${path} opens its row`, others.join(", "));
    await wide.keyboard.press("j");
    const focused = await wide.evaluate(() => document.activeElement.getAttribute("href"));
    await check(`j in ${path}`, focused !== address && focused);
    await wide.keyboard.press("?");
    await check(`the keys of ${path}`, !(await wide.evaluate(() => document.getElementById("keyboard").open)) && "they are not shown");
    await wide.keyboard.press("Escape");
    const position = await wide.evaluate(() => getComputedStyle(document.querySelector("thead th")).position);
    await check(`the head of ${path}`, position !== "sticky" && position);
  }
  await wide.goto(owner.at("/payments"));
  const place = () => wide.locator(".tools > summary").evaluate((button) => JSON.stringify(button.getBoundingClientRect()));
  const closed = await place();
  await wide.locator(".tools > summary").click();
  const opened = await place();
  await check("the button of the filters stays where it is", opened !== closed && `${closed}, ${opened}`);
  await close(desk);
  await paidTwice(owner);
}

/** A number that pays the same sum twice is marked, with a link to the other payment. */
async function paidTwice(owner) {
  const twice = { amount: 99, phoneNumber: "0241234567", network: "MTN", reference: "twice" };
  const first = await call("POST", "/charge", twice);
  await call("POST", "/charge", twice);
  await owner.goto("/payments");
  await owner.page.getByRole("link", { name: "Same number and amount" }).first().click();
  await check("the other payment", !owner.page.url().endsWith(first.transactionId) && owner.page.url());
}
