// The real service in test mode, for the tests of the SDKs: an account, a key, and a webhook endpoint that keeps what it
// receives. Prints one line of JSON, and ends with its standard input.
//
//   TUA_BIN=target/debug/tua node service.mjs
//   {"baseUrl": …, "faultyBaseUrl": …, "casesUrl": …, "secretKey": …, "webhookSecret": …, "deliveriesUrl": …}
//
// At casesUrl a proxy with faults plays the cases of service-cases.json: see proxy.mjs.
//
// At faultyBaseUrl every request reaches the service, but of each request only the third response arrives: the first
// attempt ends with a reset connection, and the second with a page in HTML.
//
// GET deliveriesUrl returns the deliveries so far: [{headers, body}], with the body in base64.
import { createServer } from "node:http";
import { freePort, startService } from "../../tests/service.mjs";
import { startProxy } from "./proxy.mjs";

const deliveries = [];
const receiver = createServer(async (request, response) => {
  if (request.method === "GET") return response.end(JSON.stringify(deliveries));
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString("base64") });
  response.writeHead(204).end();
});
const port = await freePort();
receiver.listen(port, "127.0.0.1");
// All cases come from one address.
const service = await startService(20, () => 'limits = "off"\n');
const attempts = new Map();
const faultyProxy = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host, connection, "content-length": length, ...headers } = request.headers;
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const answer = await fetch(`http://127.0.0.1:${service.port}${request.url}`, { method: request.method, headers, body });
  const text = await answer.text();
  const name = `${request.url} ${headers["idempotency-key"]}`;
  const attempt = (attempts.get(name) ?? 0) + 1;
  attempts.set(name, attempt);
  if (attempt === 1) return request.socket.resetAndDestroy();
  if (attempt === 2) return response.end("<html>Sign in</html>");
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") }).end(text);
}).listen(0, "127.0.0.1");
await new Promise((listening) => faultyProxy.once("listening", listening));
const account = service.run("account", "create", "--name", "Adom Stores");
const url = `http://127.0.0.1:${port}/`;
const endpoint = service.run("webhook", "add", "--account", account.accountId, "--mode", "test", "--url", url);
console.log(
  JSON.stringify({
    baseUrl: `http://127.0.0.1:${service.port}/v1`,
    faultyBaseUrl: `http://127.0.0.1:${faultyProxy.address().port}/v1`,
    casesUrl: await startProxy(service),
    secretKey: account.keys.testV2,
    webhookSecret: endpoint.secret,
    deliveriesUrl: url,
  }),
);

function end() {
  service.stop();
  process.exit();
}
process.stdin.on("end", end).on("error", end).resume();
process.on("SIGTERM", end);
