/* A relay between the service and the shop's webhook address, which loses deliveries or sends them twice. */
import { once } from "node:events";
import { createServer } from "node:http";

/** Relays to `target()`. `mode` is `pass`, `twice`, or `lose`: answered with 204, and never seen by the shop. */
export async function startRelay(target) {
  const relay = { mode: "pass", deliveries: [] };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const delivery = { body, headers: request.headers, event: JSON.parse(body), statuses: [] };
    relay.deliveries.push(delivery);
    if (relay.mode === "lose") return response.writeHead(204).end();
    const times = relay.mode === "twice" ? 2 : 1;
    for (let sent = 0; sent < times; sent += 1) delivery.statuses.push(await forward(target(), delivery));
    response.writeHead(delivery.statuses.at(-1)).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(relay, {
    url: `http://127.0.0.1:${server.address().port}/webhooks`,
    stop: () => server.close(),
  });
}

/** Sends a delivery to the shop. Returns the status of its response, or 502 where the shop does not respond. */
export async function forward(url, { body, headers }) {
  const { "content-type": type, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
  const sent = { "content-type": type, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  try {
    return (await fetch(url, { method: "POST", headers: sent, body })).status;
  } catch {
    return 502;
  }
}
