import { readOptions, type TuaOptions } from "./config.js";
import { Checkouts, Links, Networks, Quotes } from "./resources/checkouts.js";
import { Events } from "./resources/events.js";
import { Charges, Payouts, Refunds, Transactions } from "./resources/payments.js";
import { Sandbox } from "./resources/sandbox.js";
import { WebhookEndpoints } from "./resources/webhook-endpoints.js";

/** A client of one service with one secret key. It holds no connection that must be closed. */
export class Tua {
  /** The API root, without a slash at its end. */
  readonly baseUrl: string;
  readonly charges: Charges;
  readonly payouts: Payouts;
  readonly refunds: Refunds;
  readonly transactions: Transactions;
  readonly checkouts: Checkouts;
  readonly links: Links;
  readonly networks: Networks;
  readonly quotes: Quotes;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sandbox: Sandbox;

  constructor(options: TuaOptions) {
    const config = readOptions(options);
    this.baseUrl = config.baseUrl;
    this.charges = new Charges(config);
    this.payouts = new Payouts(config);
    this.refunds = new Refunds(config);
    this.transactions = new Transactions(config);
    this.checkouts = new Checkouts(config);
    this.links = new Links(config);
    this.networks = new Networks(config);
    this.quotes = new Quotes(config);
    this.events = new Events(config);
    this.webhookEndpoints = new WebhookEndpoints(config);
    this.sandbox = new Sandbox(config);
  }
}
