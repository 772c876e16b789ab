/* A service for unit tests: it replaces `fetch`, so a plug-in uses the real SDK, and the errors are the SDK's own. */

/**
 * Responds from now on with `answers`, by the method and the path below /v1, such as `GET /checkout/chk_1`. An answer is a body, a
 * `problem`, or an error of the network. Returns the requests.
 */
export function stubService(answers) {
  const requests = [];
  globalThis.fetch = async (address, { method, headers, body }) => {
    const { pathname, search } = new URL(address);
    const name = `${method} ${pathname.replace(/^\/v1/, "")}${search}`;
    const request = { name, key: headers["idempotency-key"], body: body ? JSON.parse(body) : undefined };
    requests.push(request);
    const answer = answers[name] ?? problem(400, "no_answer", `The test has no answer to ${name}.`);
    const given = typeof answer === "function" ? answer(request) : answer;
    if (given instanceof Error) throw given;
    const { status = 200, json = given } = given.isProblem ? given : {};
    return new Response(JSON.stringify(json), { status, headers: { "content-type": "application/json" } });
  };
  return requests;
}

/** A refusal of the service. */
export function problem(status, code, detail = `The detail of ${code}.`) {
  return { isProblem: true, status, json: { status, code, title: code, detail } };
}

/** A connection that broke: whether the service executed the request is not known. */
export const connectionBroke = () => new TypeError("fetch failed");

/** A page of a list. */
export const listOf = (...data) => ({ data, nextCursor: null });
