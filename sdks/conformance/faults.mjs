// How a server misbehaves, and what it expects of requests. For server.mjs and service.mjs.

/**
 * Sends a response of `status`, `headers` and `text`, with a fault: "never", "reset" (after the request was read), "half" and
 * "truncated" (the text breaks off, with the connection or in an answer that ends well), "twice", and "drip" and
 * "drip-headers" (byte by byte).
 */
export async function send({ fault, delayMs = 0 }, { status, headers, type, text }, request, response) {
  if (delayMs > 0) await new Promise((later) => setTimeout(later, delayMs));
  if (fault === "never") return;
  if (fault === "reset") return request.socket.resetAndDestroy();
  if (fault === "drip-headers") {
    request.socket.write(`HTTP/1.1 ${status} OK\r\nx-slow: `);
    const timer = setInterval(() => request.socket.write("x"), 50);
    return request.socket.on("close", () => clearInterval(timer)).on("error", () => {});
  }
  const all = { "content-type": type, connection: "close", ...dates(headers) };
  if (fault === "half") {
    response.writeHead(status, { ...all, "content-length": String(Buffer.byteLength(text)) });
    response.write(text.slice(0, text.length / 2));
    return setTimeout(() => request.socket.destroy(), 20);
  }
  if (fault === "drip") {
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    const timer = setInterval(() => response.write(" "), 50);
    return request.socket.on("close", () => clearInterval(timer));
  }
  if (fault === "truncated") return response.writeHead(status, all).end(text.slice(0, text.length / 2));
  if (fault === "twice") {
    const head = `HTTP/1.1 ${status} OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
    return request.socket.end((head + text).repeat(2));
  }
  response.writeHead(status, all).end(status === 304 ? undefined : text);
}

/** A header "+3 s" is the time in three seconds by the clock of the header `date`, which may be wrong: "-3600 s". */
function dates(headers) {
  const shift = (text, from) => new Date(from + Number(text.split(" ")[0]) * 1_000);
  const { date, "retry-after": retryAfter, ...others } = headers;
  if (!date) return headers;
  const now = shift(date, Date.now());
  return { ...others, date: now.toUTCString(), "retry-after": retryAfter.endsWith(" s") ? shift(retryAfter, now.getTime()).toUTCString() : retryAfter };
}

/** A request of node:http as a record, and its body as bytes. */
export async function readRequest(request, path) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { record: { method: request.method, path, headers: request.headers, body: bytes.toString("utf8"), at: Date.now() }, bytes };
}

/** Where the requests that a server has recorded are not those that a case expects. */
export function findProblems({ requests = {} }, record) {
  const problems = [];
  const expect = (isTrue, text) => isTrue || problems.push(text);
  const { count = 1, keyed, key, paths, raw, json = {}, headers = [], methods, intervalMs } = requests;
  const [min, max] = Array.isArray(count) ? count : [count, count];
  expect(record.length >= min && record.length <= max, `${record.length} requests instead of ${count}`);
  const keys = record.map((request) => request.headers["idempotency-key"]);
  expect(new Set(keys).size <= 1, `the requests have different idempotency keys: ${keys}`);
  if (keyed !== undefined) expect(keys.every((found) => keyed === (found !== undefined && /^[!-~]{16,255}$/.test(found))), `keys: ${keys}`);
  if (key !== undefined) expect(keys.every((found) => found === key), `the key is ${keys} instead of ${key}`);
  expect(new Set(record.map(({ body }) => body)).size <= 1, "a repeated request has another body");
  if (raw !== undefined) expect(record.every(({ body }) => body.includes(raw)), `no ${raw} in ${record[0]?.body}`);
  for (const { body } of record) if (body !== "") findMissing(JSON.parse(body), json, "").forEach((where) => expect(false, `${where} in ${body}`));
  for (const [index, path] of (paths ?? []).entries()) expect(record[index]?.path === path, `path ${record[index]?.path} instead of ${path}`);
  for (const [index, method] of (methods ?? []).entries()) expect(record[index]?.method === method, `method ${record[index]?.method}`);
  for (const [index, wanted] of headers.entries()) {
    for (const [name, value] of Object.entries(wanted)) {
      const found = record[index]?.headers[name] ?? null;
      expect(value === "*" ? found !== null : found === value, `${name} of request ${index + 1} is ${found} instead of ${value}`);
    }
  }
  for (let index = 1; intervalMs && index < record.length; index += 1) {
    const interval = record[index].at - record[index - 1].at;
    expect(interval >= intervalMs[0] && interval <= intervalMs[1], `${interval} ms between requests instead of ${intervalMs}`);
  }
  expect(record.every((request) => request.headers["x-api-key"]?.startsWith("tua_test_v2_")), "a request has no key");
  return problems;
}

/** Where a value is not the wanted one. An object may have more members. */
export function findMissing(value, wanted, pointer) {
  if (typeof wanted !== "object" || wanted === null) return value === wanted ? [] : [`${pointer} is not ${wanted}`];
  return Object.entries(wanted).flatMap(([name, member]) => findMissing(value?.[name], member, `${pointer}/${name}`));
}
