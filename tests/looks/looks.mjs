/*
 * The checkout as it is built in pkg/, looked at in a browser: every state in every theme, language and width; the same
 * pictures as before; a payer with nothing but keys; whatever a page or a service may do to it; many at once.
 *
 * node looks.mjs ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` beside it or in NODE_PATH.
 * `cargo xtask test --only looks` runs it.
 */
import { everyLife } from "./lives.mjs";
import { end } from "./stage.mjs";
import { everyState } from "./states.mjs";

const began = Date.now();
for (const part of [everyState, everyLife]) {
  await part();
  console.log(`${part.name}: ${Math.round((Date.now() - began) / 1000)} s`);
}
await end();
