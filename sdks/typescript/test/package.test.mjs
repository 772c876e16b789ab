// The package as it is installed, and a Next.js application that uses it. `scripts/test-packed.mjs` sets TUA_PACKED.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const { resolve } = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.resolve("@tua-pay/node")));
const secret = `whsec_${Buffer.alloc(32, "m").toString("base64")}`;
const route = `
import { Webhook } from "@tua-pay/node";
import { tuaWebhook } from "@tua-pay/node/next";

const webhook = new Webhook({ secrets: ${JSON.stringify(secret)} });
export const POST = tuaWebhook(webhook, (event) => {
  if (event.type !== "ping") throw new Error("no ping");
});
`;
const cart = `
import { CartCheckout, Tua } from "@tua-pay/node";
import { tuaCheckout } from "@tua-pay/node/next";

const tua = new Tua({ secretKey: "tua_test_v2_x", baseUrl: "http://127.0.0.1:9/v1" });
export const POST = tuaCheckout(new CartCheckout(tua, { findItems: () => [] }));
`;

describe("the package", () => {
  let folder;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tua-package-"));
    mkdirSync(join(folder, "node_modules", "@tua-pay"), { recursive: true });
    symlinkSync(root, join(folder, "node_modules", "@tua-pay", "node"));
    writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("has every file that it names", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const { types, default: code } of Object.values(exports)) {
      assert.ok(existsSync(join(root, types)) && existsSync(join(root, code)), code);
    }
  });

  test("is the packed one", { skip: process.env.TUA_PACKED ? false : "TUA_PACKED is not set" }, () => {
    assert.ok(root.startsWith(process.env.TUA_PACKED), root);
    assert.deepEqual(readdirSync(root).sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist", "package.json"]);
  });

  test("answers a webhook and a cart in route handlers of Next.js", async () => {
    for (const name of ["next", "react", "react-dom"]) {
      symlinkSync(dirname(resolve(`${name}/package.json`)), join(folder, "node_modules", name));
    }
    for (const [path, text] of Object.entries({ webhooks: route, checkout: cart })) {
      mkdirSync(join(folder, "app", path), { recursive: true });
      writeFileSync(join(folder, "app", path, "route.js"), text);
    }
    writeFileSync(join(folder, "app", "layout.js"), "export default function Layout({ children }) { return children; }");
    const next = join(dirname(resolve("next/package.json")), "dist", "bin", "next");
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
    const child = spawn(process.execPath, [next, "dev", "--port", "0"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = await findAddress(child);
      assert.equal((await fetch(`${url}/webhooks`, signed("whe_1", "whe_1"))).status, 204);
      const forged = await fetch(`${url}/webhooks`, signed("whe_1", "whe_2"));
      assert.equal(forged.status, 400);
      assert.match(await forged.text(), /signature does not match/);
      const headers = { "content-type": "application/json" };
      const refused = await fetch(`${url}/checkout`, { method: "POST", headers, body: '{"items":[],"email":"a@b.gh"}' });
      assert.deepEqual([refused.status, (await refused.json()).code], [422, "empty_cart"]);
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
