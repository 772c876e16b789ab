import { randomBytes } from "node:crypto";
import { toPesewas } from "../amount.js";
import type { Tua } from "../client.js";
import { TuaApiError, TuaRequestError, TuaUnexpectedResponseError, TuaUsageError, type Fault } from "../errors.js";
import type { OpenedCheckout } from "../types.js";
import { JsonError, JsonNumber, parseJson, RawJson, writeJson, type Json, type JsonObject } from "./json.js";
import { AddressLimit } from "./limits.js";
import { asObject, checkName, findSkus, readOrder, type Donation, type Order, type SoldItem } from "./order.js";
import { CartProblem, isKnownCode } from "./problem.js";

export interface CartOptions {
  /** The items with these SKUs, of those that the shop sells now. Names and prices come from here, never from the page. */
  findItems: (skus: string[]) => Iterable<SoldItem> | Promise<Iterable<SoldItem>>;
  /** An amount of the payer's choice, where the shop accepts one. */
  donation?: Donation | undefined;
  /** Where the payer comes back to, such as `https://shop.example/orders/{reference}`. */
  returnUrl?: string | undefined;
  /** How many open checkouts one address may have. Default: 200. */
  maxOpenSessions?: number | undefined;
}

/** The request of a page, as a framework has it. */
export interface CartRequest {
  contentType: string | null | undefined;
  contentEncoding?: string | null | undefined;
  /** Reads the body. A body of more than `MAX_CART_BYTES` may be cut after one more byte. */
  body: () => Promise<Uint8Array>;
  /** The address of the client. Without it, nothing is limited by address. */
  address?: string | undefined;
}

export interface CartResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** For the log of the shop: why the cart could not be opened. */
  error?: string;
}

/** The longest cart, in bytes. */
export const MAX_CART_BYTES = 32 * 1_024;

const CARTS_PER_MINUTE = 60;
const SESSION_LIFETIME_MS = 30 * 60_000;
const OF_CART = ["/email", "/reference", "/metadata"];
const SECRET_KEY = /(tua_(test|live)_v2_|sk_(test|live)_)[A-Za-z0-9_-]/;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Opens checkouts for the carts of a page: `POST /checkout` of the shop. It has the prices, and the page gets a token. */
export class CartCheckout {
  readonly #tua: Tua;
  readonly #options: CartOptions;
  readonly #carts = new AddressLimit(CARTS_PER_MINUTE, 60_000);
  readonly #sessions: AddressLimit;

  constructor(tua: Tua, options: CartOptions) {
    const { donation, returnUrl, maxOpenSessions = 200 } = options;
    if (donation) {
      checkName(donation.name, "donation.name");
      if (toPesewas(donation.min) > toPesewas(donation.max)) throw new TuaUsageError("donation.min is more than donation.max.");
    }
    if (returnUrl !== undefined) checkReturnUrl(returnUrl);
    if (!(maxOpenSessions >= 1)) throw new TuaUsageError("maxOpenSessions is a number from 1.");
    // Half of them at once. The other half comes back while the first ones are open.
    this.#sessions = new AddressLimit(Math.max(1, Math.floor(maxOpenSessions / 2)), SESSION_LIFETIME_MS);
    this.#tua = tua;
    this.#options = options;
  }

  /** Answers a page: 201 with `checkoutToken`, `url` and `expiresAt`, or a problem document. */
  async respond(request: CartRequest): Promise<CartResponse> {
    try {
      const session = await this.#open(request);
      return { status: 201, headers: { "content-type": "application/json", "cache-control": "no-store" }, body: JSON.stringify(session) };
    } catch (error) {
      const problem = error instanceof CartProblem ? error : failed(error);
      const headers = { "content-type": "application/problem+json", "cache-control": "no-store", ...problem.headers };
      const response = { status: problem.status, headers, body: problem.write(this.#tua.baseUrl.replace(/v1$/, "docs/errors/")) };
      return problem.reason === undefined ? response : { ...response, error: describe(problem.reason) };
    }
  }

  async #open({ contentType, contentEncoding, body, address }: CartRequest) {
    const { findItems, donation, returnUrl } = this.#options;
    if (address) refuseAfter(this.#carts.count(address));
    checkMediaType(contentType, contentEncoding);
    const cart = readBody(await readAll(body));
    const skus = findSkus(cart, donation);
    const order = readOrder(cart, skus.length > 0 ? await findItems(skus) : [], donation);
    if (address) refuseAfter(this.#sessions.count(address));
    const reference = order.reference ?? generateReference();
    const request = {
      amount: order.total,
      email: order.email,
      reference,
      metadata: new RawJson(writeJson(describeOrder(order))) as unknown as Record<string, unknown>,
      ...(returnUrl === undefined ? {} : { returnUrl: returnUrl.replaceAll("{reference}", () => encodeReference(reference)) }),
    };
    try {
      return readSession(await this.#tua.checkouts.create(request));
    } catch (error) {
      throw refusedByService(error, reference);
    }
  }
}

function refuseAfter(seconds: number): void {
  if (seconds === 0) return;
  const detail = `Too many requests came from this address. Try again in ${seconds} s.`;
  throw new CartProblem(429, "rate_limited", detail, [], undefined, { "retry-after": String(seconds) });
}

/** A browser asks before it sends this type to another origin, which it does not for a form's types. */
function checkMediaType(contentType: string | null | undefined, contentEncoding: string | null | undefined): void {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? "")) {
    throw new CartProblem(415, "unsupported_media_type", "Send the body as `Content-Type: application/json`.");
  }
  if (!/^\s*(identity)?\s*$/i.test(contentEncoding ?? "")) {
    const detail = "Send the body as it is: without compression, and without the header Content-Encoding.";
    throw new CartProblem(415, "unsupported_media_type", detail, [], undefined, { "accept-encoding": "identity" });
  }
}

async function readAll(body: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await body();
  } catch {
    throw new CartProblem(400, "malformed_json", "The body ended too early.");
  }
}

function readBody(body: Uint8Array): JsonObject {
  if (body.length > MAX_CART_BYTES) throw new CartProblem(413, "body_too_large", "The body is larger than 32 KiB.");
  let value: Json;
  try {
    value = parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) throw new CartProblem(400, "malformed_json", error.message);
    throw error;
  }
  const cart = asObject(value);
  if (!cart) throw CartProblem.of([{ pointer: "", code: "invalid_type", detail: "The body must be a JSON object." }]);
  return cart;
}

/** The metadata of the checkout: the page's own, and what is bought. */
function describeOrder({ metadata, lines }: Order): JsonObject {
  const items = lines.map(({ sku, name, quantity, price }) => {
    const members = { sku, name, quantity: new JsonNumber(String(quantity)), price: new JsonNumber(price) };
    return new Map<string, Json>(Object.entries(members));
  });
  return new Map<string, Json>([...metadata, ["items", items]]);
}

/** A reference such as `shop-7k3m9x2q4tza8c5d`: it cannot be guessed, and is easy to spell (no i, l, o or u). */
function generateReference(): string {
  return `shop-${[...randomBytes(16)].map((byte) => ALPHABET[byte % 32]).join("")}`;
}

function encodeReference(reference: string): string {
  return encodeURIComponent(reference).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A page may choose the reference, so the reference may not choose the site. */
function checkReturnUrl(returnUrl: string): void {
  const [one, other] = ["1", "2"].map((reference) => {
    const url = returnUrl.replaceAll("{reference}", reference);
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    const isWeb = parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password;
    return isWeb ? parsed.origin : undefined;
  });
  if (one !== undefined && one === other) return;
  throw new TuaUsageError(
    "returnUrl is the address of a page, such as https://shop.example/orders/{reference}; {reference} may appear only after the host.",
  );
}

/** These three members only, whatever the service responds. */
function readSession({ checkoutToken, url, expiresAt }: OpenedCheckout) {
  const isToken = typeof checkoutToken === "string" && /^tua_checkout_[A-Za-z0-9_-]+$/.test(checkoutToken);
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  const isAddress = /^https?:$/.test(address?.protocol ?? "") && address?.searchParams.getAll("key").includes(checkoutToken);
  const isPlain = !SECRET_KEY.test(url) && !Number.isNaN(Date.parse(expiresAt));
  if (isToken && isAddress && isPlain) return { checkoutToken, url, expiresAt };
  throw new CartProblem(502, "upstream_unavailable", UNAVAILABLE, [], "the response has no checkout session");
}

const UNAVAILABLE = "The payment service cannot be reached at the moment. No money has moved. Try again later.";
const REFUSED = "The payment service did not accept this shop's request. No money has moved. Please tell the shop.";

/** What the page may know of a fault of the service: what it can correct itself. The log has the rest. */
function refusedByService(error: unknown, reference: string): unknown {
  if (!(error instanceof TuaRequestError)) return error;
  const status = error instanceof TuaApiError || error instanceof TuaUnexpectedResponseError ? error.status : 0;
  const faults = error instanceof TuaApiError && status === 422 ? error.errors.filter(isOfPage) : [];
  if (faults.length > 0) return CartProblem.of(faults);
  // The texts of a refusal could contain personal data.
  const text = error instanceof TuaApiError ? `${nameCode(error.code)} (status ${status})` : error.message;
  const reason = `${reference}: ${text}`;
  if (status >= 400 && status < 500 && status !== 429) return new CartProblem(502, "upstream_refused", REFUSED, [], reason);
  return new CartProblem(502, "upstream_unavailable", UNAVAILABLE, [], reason);
}

function nameCode(code: string): string {
  return /^[a-z_]{1,64}$/.test(code) ? code : "unknown code";
}

/** A fault that the page can correct, and that shows no secret. */
function isOfPage({ pointer, code, detail }: Fault): boolean {
  return OF_CART.includes(pointer) && isKnownCode(code) && !SECRET_KEY.test(detail);
}

function failed(error: unknown): CartProblem {
  return new CartProblem(500, "internal_error", "The shop could not read the cart. No money has moved. Try again later.", [], error);
}

function describe(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
