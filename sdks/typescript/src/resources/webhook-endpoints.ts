import { inspect } from "node:util";
import type { Operation } from "../http.js";
import type { Pages } from "../pages.js";
import type { EnabledWebhookEndpoint, EnableWebhookEndpointRequest, ListOptions, RequestOptions } from "../types.js";
import type { RotateWebhookSecretRequest, WebhookEndpoint, WebhookEndpointRequest, WebhookEndpointWithSecret } from "../types.js";
import { Resource, segment } from "./base.js";

/** An endpoint may get statuses that this version does not have: none of them is about money. */
const takeAnyStatus = () => undefined;

/** The addresses to which events are sent. The key needs the scope `webhooks`. */
export class WebhookEndpoints extends Resource {
  /**
   * Adds an address. Store `secret`: it is not shown again. It is null where the endpoint was added by an earlier request
   * with the same key, whose response was lost: then rotate it.
   */
  async create(request: WebhookEndpointRequest, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    const operation = { method: "POST", path: "/webhooks", repetition: "keyed", body: request, identifier: "endpointId" } as const;
    return hideSecret(await this.call<WebhookEndpointWithSecret>({ ...operation, findUnknown: takeAnyStatus }, options));
  }

  get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.call({ ...request("GET", endpointId), repetition: "reads" }, options);
  }

  /** All endpoints that were not removed, newest first. */
  list({ pageSize }: ListOptions = {}): Pages<WebhookEndpoint> {
    return this.readPages("/webhooks", {}, pageSize, takeAnyStatus);
  }

  /**
   * Makes a new secret. The previous one signs too for `overlapHours`, 0 to 2,160; 24 where it is absent. A second rotation
   * ends the secret from before the first one, so this is repeated only where it certainly did not reach the service. After
   * an error with `outcomeUnknown`, compare `oldSecretUntil` of `get` with its value from before.
   */
  async rotate(
    endpointId: string,
    body: RotateWebhookSecretRequest = {},
    options?: RequestOptions,
  ): Promise<WebhookEndpointWithSecret> {
    const operation = { ...request("POST", endpointId, "/rotate"), repetition: "once", body } as const;
    return hideSecret(await this.call<WebhookEndpointWithSecret>(operation, options));
  }

  /** Sends new events to it from now on, and with `resend` also those that were recorded while it was disabled. */
  enable(endpointId: string, body: EnableWebhookEndpointRequest = {}, options?: RequestOptions): Promise<EnabledWebhookEndpoint> {
    return this.call({ ...request("POST", endpointId, "/enable"), repetition: "repeatable", body }, options);
  }

  /** Records events for 30 days, and does not send them. */
  disable(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.call({ ...request("POST", endpointId, "/disable"), repetition: "repeatable" }, options);
  }

  /**
   * Removes an endpoint, which cannot be undone. `not_found` with `outcomeUnknown` means that an earlier attempt of this
   * call, whose response was lost, may have removed it.
   */
  remove(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.call({ ...request("POST", endpointId, "/remove"), repetition: "repeatable" }, options);
  }
}

/** A request about one endpoint. */
function request(method: "GET" | "POST", endpointId: string, action = ""): Omit<Operation, "repetition"> {
  const path = `/webhooks/${segment(endpointId, "endpointId")}${action}`;
  return { method, path, identifier: "endpointId", expected: { endpointId }, findUnknown: takeAnyStatus };
}

/** The endpoint, whose secret `console.log` does not show. */
function hideSecret(endpoint: WebhookEndpointWithSecret): WebhookEndpointWithSecret {
  const value = () => ({ ...endpoint, secret: endpoint.secret === null ? null : "whsec_…" });
  return Object.defineProperty(endpoint, inspect.custom, { value, enumerable: false });
}
