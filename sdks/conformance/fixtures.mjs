// Responses of the service, taken from the examples of docs/openapi.json.
import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

function example(path, method, status) {
  const { examples } = document.paths[path][method].responses[status].content["application/json"];
  return Object.values(examples)[0].value;
}

const sources = {
  charge: () => example("/v1/charge", "post", "202"),
  payout: () => example("/v1/payout", "post", "202"),
  batch: () => example("/v1/payouts/batches", "post", "202"),
  refund: () => example("/v1/refunds", "post", "202"),
  opened: () => example("/v1/checkout", "post", "201"),
  checkout: () => example("/v1/checkout/{checkoutId}", "get", "200"),
  link: () => example("/v1/links", "post", "201"),
  quote: () => example("/v1/quote", "post", "200"),
  networks: () => example("/v1/networks", "get", "200"),
  problem: () => ({
    type: "https://pay.example/docs/errors/internal_error",
    title: "The service failed",
    status: 500,
    detail: "The service failed.",
    code: "internal_error",
    requestId: "req_conformance",
  }),
};

/** A response with some members replaced. */
export function fixture(name, members = {}) {
  return { ...structuredClone(sources[name]()), ...members };
}

/** The example of every event, by its type. */
export function events() {
  return Object.entries(document.webhooks).map(([type, { post }]) => {
    const { examples } = post.requestBody.content["application/json"];
    return [type, Object.values(examples)[0].value];
  });
}
