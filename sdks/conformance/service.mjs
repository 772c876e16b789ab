// The real service in test mode, for the tests of the SDKs: an account, a key, and a webhook endpoint that keeps what it
// receives. Prints one line of JSON, and ends with its standard input.
//
//   TUA_BIN=target/debug/tua node service.mjs
//   {"baseUrl": …, "secretKey": …, "webhookSecret": …, "deliveriesUrl": …}
//
// GET deliveriesUrl returns the deliveries so far: [{headers, body}], with the body in base64.
import { createServer } from "node:http";
import { freePort, startService } from "../../tests/service.mjs";

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
const service = await startService(20);
const account = service.run("account", "create", "--name", "Adom Stores");
const url = `http://127.0.0.1:${port}/`;
const endpoint = service.run("webhook", "add", "--account", account.accountId, "--mode", "test", "--url", url);
console.log(
  JSON.stringify({
    baseUrl: `http://127.0.0.1:${service.port}/v1`,
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
