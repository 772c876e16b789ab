/* A merchant's server: the built page under a strict policy, and orders opened with the secret key. */
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Opens an order at the service, as a merchant's server does. */
export async function openOrder(service) {
  const answer = await fetch(`${service.origin}/v1/checkout`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": service.key },
    body: JSON.stringify({ amount: 18, currency: "GHS", email: "ama@example.com" }),
  });
  if (answer.status !== 201) throw new Error(`POST /v1/checkout: ${answer.status}`);
  return answer.text();
}

/** Serves a folder; `fill` is what stands in its HTML for the words in capitals. */
export async function openShop(folder, service, fill = {}) {
  // No nonce, no hash, nothing inline: what a page of ours must do with.
  const policy = `default-src 'self'; script-src 'self' 'wasm-unsafe-eval' ${fill.SERVICE ?? ""}; style-src 'self'; connect-src 'self' ${service.origin}`;
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const type = path.endsWith("/") ? ".html" : extname(path);
    try {
      if (path === "/order") return response.writeHead(201, { "content-type": "application/json" }).end(await openOrder(service));
      if (path === "/favicon.ico") return response.writeHead(204).end();
      const file = readFileSync(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      const body = type === ".html" ? String(file).replace(/[A-Z]{3,}/g, (word) => fill[word] ?? word) : file;
      response.writeHead(200, { "content-type": TYPES[type], "content-security-policy": policy }).end(body);
    } catch (error) {
      response.writeHead(error.code === "ENOENT" ? 404 : 500).end(String(error));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // By name, so that it is another site than the service, not only another port.
  return { origin: `http://localhost:${server.address().port}`, close: () => server.close() };
}
