/* What a payment downloads after Pay: the answers of the service, and no file. */
import { check } from "../check.mjs";
import { json, session, transaction, visit } from "./visit.mjs";

export async function noFilesAfterPay() {
  const name = "after Pay";
  let status = transaction();
  const { page, reads, pass, close } = await visit(name, {
    "GET /checkout": json(session()),
    "POST /charge": () => json(status, 202),
    "GET /status": () => json(status),
  });
  await reads("Pay GH₵10.50");
  await page.locator("[name=phoneNumber]").fill("024 123 4567");
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.locator("[type=submit]").click();
  await reads("Approve on your phone");
  status = transaction({ status: "SUCCESSFUL", nextAction: null });
  await pass(12);
  await reads("Payment successful");
  await check(`${name}, requests`, !asked.includes("/v1/charge") && `${asked}: no charge was seen`);
  const files = asked.filter((path) => !path.startsWith("/v1/"));
  await check(`${name}, files`, files.length > 0 && `${files} were downloaded`);
  await close();
}
