import { inspect } from "node:util";
import { readOperation } from "../http.js";
import type { Pages } from "../pages.js";
import { sleep } from "../retry.js";
import type { Checkout, CheckoutFilter, CheckoutRequest, Link, LinkRequest, ListOptions, NetworkServices, OpenedCheckout } from "../types.js";
import type { Quote, QuoteRequest, RequestOptions, Transaction, WaitOptions } from "../types.js";
import { isTransient, WAIT_TIMEOUT_MS, waitForOutcome } from "../wait.js";
import { Resource, segment } from "./base.js";

const POLL_INTERVAL_MS = 2_000;

export class Checkouts extends Resource {
  /** Opens a session that one payer can pay within 30 minutes. Send the payer to `url`, or give the page `checkoutToken`. */
  async create(request: CheckoutRequest, options?: RequestOptions): Promise<OpenedCheckout> {
    const opened = await this.begin<OpenedCheckout>("/checkout", request, "checkoutId", options);
    return Object.defineProperty(opened, inspect.custom, { value: hideToken, enumerable: false });
  }

  get(checkoutId: string, options?: RequestOptions): Promise<Checkout> {
    return this.read(`/checkout/${segment(checkoutId, "checkoutId")}`, "checkoutId", checkoutId, options);
  }

  /** All sessions that the filter leaves, newest first. */
  list(filter: CheckoutFilter & ListOptions = {}): Pages<Checkout> {
    const { pageSize, ...members } = filter;
    return this.readPages("/checkouts", members, pageSize);
  }

  /** Closes a session, so that nobody can pay it any more. */
  close(checkoutId: string, options?: RequestOptions): Promise<Checkout> {
    return this.end(`/checkout/${segment(checkoutId, "checkoutId")}/close`, "checkoutId", checkoutId, options);
  }

  /** Waits until the session is PAID, EXPIRED or CLOSED. After `timeout` it returns what it saw last: OPEN or PENDING. */
  async wait(checkoutId: string, { timeout = WAIT_TIMEOUT_MS, signal }: WaitOptions = {}): Promise<Checkout> {
    const deadline = performance.now() + timeout;
    let seen: Checkout | undefined;
    for (;;) {
      const left = Math.max(0, deadline - performance.now());
      const isOver = () => performance.now() + POLL_INTERVAL_MS >= deadline;
      try {
        seen = await this.get(checkoutId, { signal, totalTimeout: left + this.config().timeout });
        if ((seen.status !== "OPEN" && seen.status !== "PENDING") || isOver()) return seen;
        if (seen.transaction?.status === "PENDING") {
          await this.#waitForCharge(seen.transaction.transactionId, deadline - performance.now(), signal);
          continue;
        }
      } catch (error) {
        if (!seen || !isTransient(error) || signal?.aborted) throw error;
        if (isOver()) return seen;
      }
      await sleep(POLL_INTERVAL_MS, signal);
    }
  }

  async #waitForCharge(transactionId: string, timeout: number, signal: AbortSignal | undefined): Promise<void> {
    const path = `/status/${segment(transactionId, "transactionId")}`;
    const operation = readOperation(path, "transactionId", transactionId);
    await waitForOutcome<Transaction>(this.config(), operation, { timeout, signal });
  }
}

/** What `console.log` shows: the token pays this session, so it belongs in no log. */
function hideToken(this: OpenedCheckout): object {
  return { ...this, checkoutToken: "tua_checkout_…", url: this.url.replace(/key=[^&]*/, "key=…") };
}

export class Links extends Resource {
  /** Creates a page with a short address, on which anybody who has it can pay. */
  create(request: LinkRequest, options?: RequestOptions): Promise<Link> {
    return this.begin("/links", request, "linkId", options);
  }

  get(linkId: string, options?: RequestOptions): Promise<Link> {
    return this.read(`/links/${segment(linkId, "linkId")}`, "linkId", linkId, options);
  }

  list({ pageSize }: ListOptions = {}): Pages<Link> {
    return this.readPages("/links", {}, pageSize);
  }

  close(linkId: string, options?: RequestOptions): Promise<Link> {
    return this.end(`/links/${segment(linkId, "linkId")}/close`, "linkId", linkId, options);
  }

  reopen(linkId: string, options?: RequestOptions): Promise<Link> {
    return this.end(`/links/${segment(linkId, "linkId")}/reopen`, "linkId", linkId, options);
  }
}

export class Networks extends Resource {
  /** How each network is served now. */
  async get(options?: RequestOptions): Promise<NetworkServices[]> {
    const operation = { method: "GET", path: "/networks", repetition: "reads", identifier: "data" } as const;
    return (await this.call<{ data: NetworkServices[] }>(operation, options)).data;
  }
}

export class Quotes extends Resource {
  /** What a payment would cost if it began now. It begins nothing. */
  create(request: QuoteRequest, options?: RequestOptions): Promise<Quote> {
    const operation = { method: "POST", path: "/quote", repetition: "reads", body: request, identifier: "payerPays" } as const;
    return this.call(operation, options);
  }
}
