/* A payer in a browser who notices whatever goes wrong behind the page. */

/** A page that remembers what was said on its console, and every request to a stranger. */
export async function openPage(browser, url, service) {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  const faults = [];
  // Refusals by the security policy are errors on the console too.
  page.on("console", (line) => ["error", "warning"].includes(line.type()) && faults.push(line.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  const known = [new URL(url).origin, service.origin];
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (!known.includes(origin)) faults.push(`a request to ${origin}`);
  });
  return { page, faults, open: () => page.goto(url), close: () => context.close() };
}

/** The field for the number. Only what is shown has a role: for a moment, the component is hidden beside the form that was drawn
 * before it. */
export const phoneField = (within) => within.getByRole("textbox", { name: "Mobile money number" });

/** The button of a checkout that knows its session. */
export const payButton = (within) => within.getByRole("button", { name: "Pay GH₵18.00" });

/** Types a number, pays, and waits until the shop's own page has heard of it; the reference that it was told. */
export async function pay(within) {
  // The form that is drawn first chooses no network by the number, so a payer who types there would have to.
  await payButton(within).waitFor();
  await phoneField(within).fill("0241234567");
  await payButton(within).click();
  await within.getByRole("heading", { name: "Payment successful" }).waitFor();
  const thanks = await within.getByText(/^Paid: /).textContent({ timeout: 5_000 });
  return thanks.slice("Paid: ".length);
}

/** The payment of a reference, as the API reports it to the merchant's server. */
export async function statusOf(reference, service) {
  const answer = await fetch(`${service.origin}/v1/transactions?reference=${encodeURIComponent(reference)}`, {
    headers: { "x-api-key": service.key },
  });
  const { data } = await answer.json();
  return data.map(({ status }) => status).join(" and ");
}
