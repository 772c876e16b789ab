/*
 * The plug-in in the real WordPress, with the real service, in a browser. See shop.mjs for how to run it.
 * A folder as the last argument gets the picture of the documentation.
 */
import test, { after } from "node:test";
import { TIMEOUT_MS } from "../../../tests/check.mjs";
import * as people from "./people.mjs";
import * as payers from "./payers.mjs";
import { stop } from "./shop.mjs";

/* In this order: the first ones set up what the others use. */
const { embedded, webhooks, withoutWebhook, twoTabs, outages } = payers;
const { settings, items, refunds, links, languages, data } = people;
const JOURNEYS = { settings, items, embedded, webhooks, withoutWebhook, twoTabs, outages, refunds, links, languages, data };

for (const [name, journey] of Object.entries(JOURNEYS)) test(name, { timeout: TIMEOUT_MS }, journey);
after(stop);
