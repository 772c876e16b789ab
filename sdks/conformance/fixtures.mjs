// Responses of the service, taken from the examples of docs/openapi.json.
import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

function example(path, method, status) {
  const { examples } = document.paths[path][method].responses[status].content["application/json"];
  return Object.values(examples)[0].value;
}

const sources = {
  charge: () => example("/charge", "post", "202"),
  payout: () => example("/payout", "post", "202"),
  batch: () => example("/payouts/batches", "post", "202"),
  refund: () => example("/refunds", "post", "202"),
  opened: () => example("/checkout", "post", "201"),
  checkout: () => example("/checkout/{checkoutId}", "get", "200"),
  link: () => example("/links", "post", "201"),
  quote: () => example("/quote", "post", "200"),
  event: () => example("/events/{eventId}", "get", "200"),
  endpoint: () => example("/webhooks/{endpointId}", "get", "200"),
  addedEndpoint: () => example("/webhooks", "post", "201"),
  rotatedEndpoint: () => example("/webhooks/{endpointId}/rotate", "post", "200"),
  enabledEndpoint: () => example("/webhooks/{endpointId}/enable", "post", "200"),
  advancedClock: () => example("/sandbox/clock/advance", "post", "200"),
  networks: () => example("/networks", "get", "200"),
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
