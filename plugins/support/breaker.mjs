/* A proxy between a shop and the service whose responses can be lost after the service has executed the request. */
import { once } from "node:events";
import { createServer } from "node:http";

/** `losesResponse(method, path)` decides about each request; the service receives it in any case. */
export async function startBreaker(target) {
  const breaker = { losesResponse: () => false };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host, connection, "content-length": length, ...headers } = request.headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    try {
      const answer = await fetch(`${target}${request.url}`, { method: request.method, headers, body });
      const text = await answer.text();
      if (breaker.losesResponse(request.method, request.url)) return response.destroy();
      const passed = ["content-type", "etag", "retry-after", "date"].filter((name) => answer.headers.has(name));
      response.writeHead(answer.status, Object.fromEntries(passed.map((name) => [name, answer.headers.get(name)]))).end(text);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(breaker, { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() });
}
