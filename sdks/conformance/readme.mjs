// Does what a README says, as somebody who has only that: pays the checkout of its first program, and sends an event to its
// shop with `tua listen` and `tua trigger`. Only the ports are others.
//
//   TUA_BIN=target/debug/tua node readme.mjs README.md FOLDER 'node pay.mjs' 'node shop.mjs'
//
// FOLDER is where the package is installed. The programs are the code that follows "This is `pay.mjs`" and "`shop.mjs`" there.
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, freePort, startService } from "../../tests/service.mjs";

const [readme, folder, payCommand, shopCommand] = process.argv.slice(2);
const text = readFileSync(readme, "utf8");
const service = await startService(20);
const shopPort = await freePort();
const children = [];
const files = [];

/** Starts a command, and returns what it prints. */
function start(line, env, cwd = folder) {
  const [command, ...args] = line.split(" ").map((word) => word.replace("9000", shopPort));
  const output = { text: "" };
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output.text += data));
  children.push(child);
  return output;
}

/** Waits until a program has printed something. */
async function find(output, pattern) {
  try {
    return await eventually(String(pattern), async () => output.text.match(pattern));
  } catch (error) {
    throw new Error(`${error.message}: ${output.text}`);
  }
}

/** Writes the program that the README calls so. */
function write(name) {
  const block = new RegExp(`This is [a-z ]*\`${name}\`[^\\n]*\\n\\n( *)\`\`\`\\w+\\n([^]*?)\\n *\`\`\``);
  const [, indent, code] = text.match(block) ?? [];
  if (!code) throw new Error(`the README has no ${name}`);
  const file = join(folder, name);
  files.push(file);
  const program = `${code.slice(indent.length).replaceAll(`\n${indent}`, "\n")}\n`;
  writeFileSync(file, program.replaceAll("127.0.0.1:8080", `127.0.0.1:${service.port}`).replaceAll("9000", shopPort));
}

try {
  for (const command of [payCommand, shopCommand]) write(command.match(/\S+\.(mjs|py|php)/)[0]);
  const { keys } = service.run("account", "create", "--name", "Adom Stores");
  const api = { TUA_SECRET_KEY: keys.testV2, TUA_API_URL: `http://127.0.0.1:${service.port}/v1` };

  const paying = start(payCommand, api);
  const [, url] = await find(paying, /Pay at (\S+)/);
  const headers = { authorization: `Bearer ${new URL(url).searchParams.get("key")}`, "content-type": "application/json" };
  const body = JSON.stringify({ phoneNumber: "0241234567", network: "MTN" });
  await fetch(`http://127.0.0.1:${service.port}/v1/charge`, { method: "POST", headers, body });
  await find(paying, /Paid: deliver\./);

  for (const command of [/tua listen --forward-to \S+/, /tua trigger checkout\.paid/, /tua webhook add --account/]) {
    if (!command.test(text)) throw new Error(`the README has no ${command}`);
  }
  const listening = start(text.match(/tua (listen --forward-to \S+)/)[0].replace("tua", process.env.TUA_BIN), { ...api, TUA_JSON: "true" }, service.folder);
  const [, secret] = await find(listening, /"secret": ?"(whsec_[^"]+)"/);
  const shop = start(shopCommand, { TUA_WEBHOOK_SECRET: secret });
  await eventually("the shop", async () => (await fetch(`http://127.0.0.1:${shopPort}/webhooks`, { method: "POST" })).status === 400);
  start(`${process.env.TUA_BIN} trigger checkout.paid`, api, service.folder);
  await find(shop, /is paid: GHS [0-9.]+/);
  console.log("the README works");
} finally {
  for (const child of children) child.kill();
  for (const file of files) rmSync(file, { force: true });
  service.stop();
}
process.exit();
