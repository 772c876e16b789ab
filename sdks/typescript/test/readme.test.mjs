// The programs of the README, in the folder where the package is installed.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { signDelivery } from "@tua-pay/node/testing";

const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const readme = fileURLToPath(new URL("../README.md", import.meta.resolve("@tua-pay/node")));

test("somebody who has only the README is paid", { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
  // Beside node_modules, where the programs find the package.
  const folder = mkdtempSync(local("../readme-"));
  try {
    const programs = ["node pay.mjs", "node shop.mjs"];
    execFileSync(process.execPath, [local("../../conformance/readme.mjs"), readme, folder, ...programs], { stdio: "inherit" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the program for Express prints what is paid", { timeout: 20_000 }, async () => {
  const [program] = readFileSync(readme, "utf8").match(/(?<=```js\n)import express [^]*?(?=```)/);
  const folder = mkdtempSync(local("../readme-"));
  const port = await findFreePort();
  writeFileSync(join(folder, "shop.mjs"), program.replace("9000", port));
  const secret = `whsec_${Buffer.alloc(32, "r").toString("base64")}`;
  const env = { ...process.env, TUA_WEBHOOK_SECRET: secret };
  const shop = spawn(process.execPath, ["shop.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(shop, "exit");
  try {
    const printed = once(shop.stdout, "data");
    assert.equal((await send(port, signDelivery(secret, "checkout.paid"))).status, 204);
    assert.match(String(await printed), /^\S+ is PAID\n$/);
  } finally {
    shop.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
});

async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Sends a delivery to the shop, as soon as it listens. */
async function send(port, delivery) {
  for (;;) {
    try {
      return await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", ...delivery });
    } catch {
      await new Promise((later) => setTimeout(later, 50));
    }
  }
}
