// The packed package, installed in an empty folder, and used by a Next.js application there.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const secret = `whsec_${Buffer.alloc(32, "m").toString("base64")}`;
const route = `
import { Webhook } from "@tua-pay/node";
import { tuaWebhook } from "@tua-pay/node/next";

const webhook = new Webhook({ secrets: ${JSON.stringify(secret)} });
export const POST = tuaWebhook(webhook, (event) => {
  if (event.type !== "ping") throw new Error("no ping");
});
`;

describe("the packed package", () => {
  let folder;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tua-package-"));
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    const [tarball] = readdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
    const flags = ["--silent", "--offline", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...flags, `./${tarball}`], { cwd: folder });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("every entry can be imported", () => {
    const names = ["", "/express", "/fastify", "/hono", "/next", "/testing"].map((name) => `import("@tua-pay/node${name}")`);
    const script = `Promise.all([${names}]).then((all) => console.log(all.map((one) => Object.keys(one).length > 0)))`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" });
    assert.equal(printed.trim(), "[ true, true, true, true, true, true ]");
  });

  test("a route handler of Next.js answers a webhook", async () => {
    for (const name of ["next", "react", "react-dom"]) {
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    }
    mkdirSync(join(folder, "app", "webhooks"), { recursive: true });
    writeFileSync(join(folder, "app", "webhooks", "route.js"), route);
    writeFileSync(join(folder, "app", "layout.js"), "export default function Layout({ children }) { return children; }");
    const next = join(root, "node_modules", "next", "dist", "bin", "next");
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
    const child = spawn(process.execPath, [next, "dev", "--port", "0"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = await findAddress(child);
      assert.equal((await fetch(`${url}/webhooks`, signed("whe_1", "whe_1"))).status, 204);
      const forged = await fetch(`${url}/webhooks`, signed("whe_1", "whe_2"));
      assert.equal(forged.status, 400);
      assert.match(await forged.text(), /signature does not match/);
    } finally {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
  });
});

async function findAddress(child) {
  for await (const line of createInterface(child.stdout)) {
    const [address] = line.match(/http:\/\/localhost:[0-9]+/) ?? [];
    if (address) return address;
  }
  throw new Error("next dev printed no address");
}

function signed(signedId, sentId) {
  const body = (id) => `{"type": "ping", "timestamp": "2026-11-21T10:00:00.000Z", "data": {"endpointId": "${id}"}}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(`msg_1.${timestamp}.${body(signedId)}`);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${hmac.digest("base64")}` };
  return { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: body(sentId) };
}
