/*
 * The checkout as it is built in pkg/, looked at in a browser: every state in every theme, language and width; the same
 * pictures as before; a payer with nothing but keys; whatever a page or a service may do to it; the form
 * before the WebAssembly; what is downloaded after Pay; many at once; the link back to the shop; a page that changes under it; the script of the hosted
 * page; the demo shop's page.
 *
 * node --test-reporter=spec looks.mjs ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` beside it or in NODE_PATH.
 * `cargo xtask test --only looks` runs it.
 */
import test, { after } from "node:test";
import { TIMEOUT_MS } from "../check.mjs";
import { noFilesAfterPay } from "./after_pay.mjs";
import { badInput } from "./bad_input.mjs";
import { changedPages } from "./changed_pages.mjs";
import { earlyForm } from "./early_form.mjs";
import { hostedPage } from "./hosted_page.mjs";
import { demoShop } from "./demo_shop.mjs";
import { byKeyboard } from "./keyboard.mjs";
import { elementLifecycle } from "./element_lifecycle.mjs";
import { returnEvent } from "./return_event.mjs";
import { samePictures } from "./pictures.mjs";
import { end, noUncaughtErrors } from "./stage.mjs";
import { everyState } from "./states.mjs";

for (const part of [samePictures, everyState, byKeyboard, badInput, changedPages, earlyForm, noFilesAfterPay, elementLifecycle, returnEvent, hostedPage, demoShop, noUncaughtErrors]) {
  test(part.name, { timeout: TIMEOUT_MS }, part);
}
after(end);
