// Writes webhooks.json: deliveries of webhooks, right and wrong, with what verifying them must result in. The secrets and
// times are fixed, so the file changes only where the events of docs/openapi.json change. With `--check` it writes nothing.
import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { events } from "./fixtures.mjs";

const FILE = new URL("webhooks.json", import.meta.url);
const NOW = 1_795_514_400;
const secret = (letter) => `whsec_${Buffer.alloc(32, letter).toString("base64")}`;
const [OLD, NEW, OTHER] = ["o", "n", "x"].map(secret);
const PAID = JSON.stringify(Object.fromEntries(events())["checkout.paid"]);

function sign(key, id, timestamp, body) {
  const hmac = createHmac("sha256", Buffer.from(key.slice(6), "base64"));
  return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** A delivery: signed with `keys`, verified with `secrets`. */
function vector(name, { body = PAID, keys = [NEW], secrets = [NEW], age = 0, headers = {}, sent = body, extra = "" }, expect) {
  const id = "msg_019aa5f0c2007d3e8a1b4c5d6e7f8094";
  const timestamp = String(NOW - age);
  const signature = extra + keys.map((key) => sign(key, id, timestamp, body)).join(" ");
  const all = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature, ...headers };
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return { name, secrets, now: NOW, headers: present, body: sent, expect };
}

const right = { event: { id: "msg_019aa5f0c2007d3e8a1b4c5d6e7f8094", type: "checkout.paid" } };
const wrong = (error) => ({ error });
const vectors = [
  ...events().map(([type, event]) => vector(`an event ${type}`, { body: JSON.stringify(event) }, { event: { ...right.event, type } })),
  vector("white space of the body is signed too", { body: JSON.stringify(JSON.parse(PAID), null, 2) }, right),
  vector("text beyond ASCII", { body: PAID.replace("order-17", "Akɔnnɔ ₵5 😀") }, right),
  vector("an event of a type that is not known", { body: PAID.replace("checkout.paid", "checkout.sung") }, { event: { ...right.event, type: "unknown", originalType: "checkout.sung" } }),
  vector("an event of a type that begins with a known one", { body: PAID.replace("checkout.paid", "checkout.paid.later") }, { event: { ...right.event, type: "unknown", originalType: "checkout.paid.later" } }),
  vector("a rotation: both signatures, the new secret", { keys: [NEW, OLD] }, right),
  vector("a rotation: both signatures, the old secret", { keys: [NEW, OLD], secrets: [OLD] }, right),
  vector("a rotation: the old signature, both secrets", { keys: [OLD], secrets: [NEW, OLD] }, right),
  vector("a rotation: the new signature, both secrets", { secrets: [OLD, NEW] }, right),
  vector("signatures of other versions are ignored", { extra: "v1a,AAAA v2,AAAA " }, right),
  vector("a signature of another secret", { keys: [OTHER] }, wrong("signature_mismatch")),
  vector("a body that was changed", { sent: PAID.replace("10.5", "99.5") }, wrong("signature_mismatch")),
  vector("a body that was serialised again", { sent: JSON.stringify(JSON.parse(PAID), null, 1) }, wrong("signature_mismatch")),
  vector("an empty body", { sent: "" }, wrong("signature_mismatch")),
  vector("another id", { headers: { "webhook-id": "msg_other" } }, wrong("signature_mismatch")),
  vector("another time within the tolerance", { headers: { "webhook-timestamp": String(NOW - 1) } }, wrong("signature_mismatch")),
  vector("a signature without its version", { headers: { "webhook-signature": sign(NEW, "msg", String(NOW), PAID).slice(3) } }, wrong("signature_mismatch")),
  vector("a signature that is no base64", { headers: { "webhook-signature": "v1,%%%" } }, wrong("signature_mismatch")),
  vector("a signature of nothing", { headers: { "webhook-signature": "v1," } }, wrong("signature_mismatch")),
  vector("299 seconds old", { age: 299 }, right),
  vector("299 seconds ahead", { age: -299 }, right),
  vector("an hour old", { age: 3_600 }, wrong("timestamp_too_old")),
  vector("an hour ahead", { age: -3_600 }, wrong("timestamp_too_new")),
  vector("a time with letters", { headers: { "webhook-timestamp": `${NOW}x` } }, wrong("invalid_timestamp")),
  vector("a time with a sign", { headers: { "webhook-timestamp": `-${NOW}` } }, wrong("invalid_timestamp")),
  vector("a time in milliseconds", { headers: { "webhook-timestamp": `${NOW}000` } }, wrong("invalid_timestamp")),
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    vector(`no ${name}`, { headers: { [name]: null } }, wrong("header_missing")),
  ),
  vector("a signed body that is no JSON", { body: "{" }, wrong("invalid_body")),
  vector("a signed body that is an array", { body: "[]" }, wrong("invalid_body")),
  vector("a signed body without data", { body: '{"type":"ping","timestamp":"2026-11-21T10:00:00.000Z"}' }, wrong("invalid_body")),
  vector("a status that is not known", { body: PAID.replace('"status":"PAID"', '"status":"SUNG"') }, wrong("invalid_body")),
];
const text = `[\n${vectors.map((item) => `  ${JSON.stringify(item)}`).join(",\n")}\n]\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, "utf8") !== text) {
  console.error("webhooks.json differs from docs/openapi.json. Run: node vectors.mjs");
  process.exitCode = 1;
}
