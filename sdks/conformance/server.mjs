// A server with faults, for the tests of the SDKs. It serves the cases of cases.json and carts.json: under /<run>/<case>/v1 it
// answers the n-th request with the n-th step of the case (and every later one with the last), and records what was sent.
// GET /<run>/<case>/verify returns {"problems": […]}: where the requests were not those that the case expects.
//
//   node server.mjs        prints its address, and ends with its standard input
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { findProblems, readRequest, send } from "./faults.mjs";
import { fixture } from "./fixtures.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const cases = new Map([...read("cases.json"), ...read("carts.json").cases].map((item) => [item.name, item]));
const records = new Map();

const server = createServer(async (request, response) => {
  const [, run, name, root, ...path] = request.url.split("/");
  const item = cases.get(decodeURIComponent(name));
  if (!item) return response.writeHead(404).end("no such case");
  const id = `${run}/${name}`;
  const record = records.get(id) ?? [];
  records.set(id, record);
  if (root === "verify") return response.end(JSON.stringify({ problems: findProblems(item, record) }));
  record.push((await readRequest(request, `/${path.join("/")}`)).record);
  const steps = item.server ?? [];
  const step = steps[Math.min(record.length, steps.length) - 1] ?? { status: 500 };
  const { reference } = step.reference ? JSON.parse(record.at(-1).body) : {};
  await respond(reference ? { ...step, with: { reference, ...step.with } } : step, request, response);
});

async function respond(step, request, response) {
  const { status = 200, headers = {} } = step;
  const isText = "text" in step;
  const text = isText ? step.text : withNumbers(JSON.stringify(readBody(step)), step.numbers);
  const type = isText ? "text/html" : status >= 400 ? "application/problem+json" : "application/json";
  await send(step, { status, headers, type, text }, request, response);
}

/** The text with numbers that JavaScript cannot hold. */
function withNumbers(text, numbers = {}) {
  const replace = (json, [name, number]) => json.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${number}`);
  return text && Object.entries(numbers).reduce(replace, text);
}

function readBody({ problem, fixture: name, with: members, charge, paidCharge, body, list, nextCursor = null }) {
  if (problem) return fixture("problem", problem);
  if (list) return { data: list.map((item) => fixture(name, item)), nextCursor };
  if (charge) {
    const charges = { transaction: fixture("charge", charge), paidTransaction: paidCharge ? fixture("charge", paidCharge) : null };
    return fixture(name, { ...members, ...charges });
  }
  return name ? fixture(name, members) : body;
}

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit()).on("error", () => process.exit()).resume();
