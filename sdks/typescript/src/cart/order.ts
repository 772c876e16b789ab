import { checkAmount, fromPesewas, toPesewas, type Amount } from "../amount.js";
import { TuaUsageError, type Fault } from "../errors.js";
import { JsonNumber, type Json, type JsonObject } from "./json.js";
import { CartProblem } from "./problem.js";

/** What the shop sells: the only source of names and prices. */
export interface SoldItem {
  sku: string;
  /** 1 to 60 bytes on one line. It goes into the metadata of the checkout. */
  name: string;
  /** The price of one, as a decimal string in cedis. */
  price: Amount;
}

/** An amount of the payer's choice, which a cart orders as `{"sku": "donation", "amount": 20}`. */
export interface Donation {
  name: string;
  min: Amount;
  max: Amount;
}

interface Line extends SoldItem {
  quantity: number;
}

/** A cart with the shop's own names and prices. */
export interface Order {
  email: string;
  reference: string | undefined;
  metadata: JsonObject;
  total: Amount;
  lines: Line[];
}

const DONATION_SKU = "donation";
const MAX_LINES = 30;
const MAX_PESEWAS = 100_000_000_000n;
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+\.[^\s@.<>()[\]\\,;:"\p{Cc}]+$/u;

/** The SKUs that a cart names, which the shop looks up. */
export function findSkus(cart: JsonObject, donation: Donation | undefined): string[] {
  const items = cart.get("items");
  if (!Array.isArray(items) || items.length > MAX_LINES) return [];
  const named = items.map((item) => (item instanceof Map ? item.get("sku") : undefined));
  const skus = new Set(named.filter((sku): sku is string => typeof sku === "string"));
  if (donation) skus.delete(DONATION_SKU);
  return [...skus];
}

/** Reads a cart; throws a CartProblem with every fault. */
export function readOrder(cart: JsonObject, sold: Iterable<SoldItem>, donation: Donation | undefined): Order {
  const items = new Map([...sold].map((item) => [item.sku, checkItem(item)]));
  const faults: Fault[] = [];
  const members = new Members(cart, "", faults);
  const listed = members.read("items", readList);
  const email = members.read("email", readEmail);
  const reference = members.readOptional("reference", readText);
  const metadata = members.readOptional("metadata", readMetadata);
  members.refuseOthers();
  const ofItems: Fault[] = [];
  const lines = readLines(listed ?? undefined, items, donation, ofItems);
  const total = lines.reduce((sum, { price, quantity }) => sum + toPesewas(price) * BigInt(quantity), 0n);
  if (ofItems.length + faults.length === 0 && total > MAX_PESEWAS) {
    ofItems.push(fault("/items", "invalid_amount", "The cart's total is above the largest amount."));
  }
  if (ofItems.length + faults.length > 0) throw CartProblem.of([...ofItems, ...faults]);
  return { email: email!, reference, metadata: metadata ?? new Map(), total: fromPesewas(total), lines };
}

function readLines(
  items: Json[] | undefined,
  sold: Map<string, SoldItem>,
  donation: Donation | undefined,
  faults: Fault[],
): Line[] {
  if (items === undefined) return [];
  if (items.length === 0) faults.push(fault("/items", "empty_cart", "The cart is empty."));
  if (items.length > MAX_LINES) {
    faults.push(fault("/items", "too_many_items", `A cart may have at most ${MAX_LINES} different items.`));
    return [];
  }
  const lines: Line[] = [];
  for (const [index, item] of items.entries()) {
    const line = readLine(item, `/items/${index}`, sold, donation, faults);
    if (!line) continue;
    if (lines.some(({ sku }) => sku === line.sku)) {
      const detail = `The cart has ${line.sku} more than once. Send one item with the whole quantity.`;
      faults.push(fault(`/items/${index}/sku`, "duplicate_sku", detail));
    }
    lines.push(line);
  }
  return lines;
}

function readLine(
  item: Json,
  pointer: string,
  sold: Map<string, SoldItem>,
  donation: Donation | undefined,
  faults: Fault[],
): Line | undefined {
  const object = asObject(item);
  if (!object) return void faults.push(fault(pointer, "invalid_type", "This must be a JSON object."));
  const before = faults.length;
  const members = new Members(object, pointer, faults);
  let line: Line | undefined;
  if (donation && object.get("sku") === DONATION_SKU) {
    members.read("sku", readText);
    const price = members.read("amount", (value) => readDonation(value, donation));
    members.forbid("quantity", "A donation has an amount and no quantity.");
    if (price !== undefined) line = { sku: DONATION_SKU, name: donation.name, price, quantity: 1 };
  } else {
    const found = members.read("sku", (value) => readSku(value, sold));
    const quantity = members.read("quantity", readQuantity);
    members.forbid("amount", "The shop sets this price.");
    if (found && quantity !== undefined) line = { ...found, quantity };
  }
  members.refuseOthers();
  return faults.length === before ? line : undefined;
}

/** Why a value is refused. */
class Refusal {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {}
}

/** The members of an object, each of which is read once. One that is null is as good as absent. */
class Members {
  readonly #read = new Set<string>();

  constructor(
    private readonly members: JsonObject,
    private readonly pointer: string,
    private readonly faults: Fault[],
  ) {}

  read<T>(name: string, parse: (value: Json) => T | Refusal): T | undefined {
    const value = this.members.get(name) ?? null;
    if (value !== null) return this.readOptional(name, parse);
    this.#read.add(name);
    this.#refuse(name, new Refusal("field_required", `${name} is required.`));
    return undefined;
  }

  readOptional<T>(name: string, parse: (value: Json) => T | Refusal): T | undefined {
    this.#read.add(name);
    const value = this.members.get(name) ?? null;
    const result = value === null ? undefined : parse(value);
    if (!(result instanceof Refusal)) return result;
    this.#refuse(name, result);
    return undefined;
  }

  forbid(name: string, detail: string): void {
    this.#read.add(name);
    if ((this.members.get(name) ?? null) !== null) this.#refuse(name, new Refusal("field_not_allowed", detail));
  }

  refuseOthers(): void {
    for (const name of this.members.keys()) {
      if (!this.#read.has(name)) this.#refuse(name, new Refusal("unknown_field", "This field does not exist."));
    }
  }

  #refuse(name: string, { code, detail }: Refusal): void {
    this.faults.push(fault(`${this.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, code, detail));
  }
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail };
}

/** An empty array is an empty object, because PHP writes it so. */
export function asObject(value: Json): JsonObject | undefined {
  if (value instanceof Map) return value;
  return Array.isArray(value) && value.length === 0 ? new Map() : undefined;
}

function readList(value: Json): Json[] | Refusal {
  return Array.isArray(value) ? value : new Refusal("invalid_type", "This must be a JSON array.");
}

function readText(value: Json): string | Refusal {
  return typeof value === "string" ? value : new Refusal("invalid_type", "This must be a text.");
}

function readEmail(value: Json): string | Refusal {
  if (typeof value !== "string") return readText(value);
  const isEmail = EMAIL.test(value) && Buffer.byteLength(value) <= 254;
  return isEmail ? value : new Refusal("invalid_email", "This is not an e-mail address.");
}

function readMetadata(value: Json): JsonObject | Refusal {
  const metadata = asObject(value);
  if (!metadata) return new Refusal("invalid_type", "The metadata must be a JSON object.");
  if (!metadata.has("items")) return metadata;
  return new Refusal("field_not_allowed", "The metadata may not have the member items: the shop writes what was bought there.");
}

function readSku(value: Json, sold: Map<string, SoldItem>): SoldItem | Refusal {
  if (typeof value !== "string") return new Refusal("invalid_type", "This must be a text.");
  return sold.get(value) ?? new Refusal("unknown_sku", "The shop does not sell this.");
}

function readQuantity(value: Json): number | Refusal {
  if (!(value instanceof JsonNumber)) return new Refusal("invalid_type", "The quantity must be a JSON number.");
  if (/^[1-9][0-9]{0,2}$/.test(value.text)) return Number(value.text);
  return new Refusal("invalid_quantity", "The quantity must be a whole number from 1 to 999.");
}

function readDonation(value: Json, { min, max }: Donation): Amount | Refusal {
  if (!(value instanceof JsonNumber)) return new Refusal("invalid_type", "The amount must be a JSON number, in cedis.");
  const [, cedis, decimals = ""] = /^([0-9]{1,10})(?:\.([0-9]{1,2})0*)?$/.exec(value.text) ?? [];
  if (cedis === undefined) {
    return new Refusal("invalid_amount", "The amount is more than 0, and has at most 2 decimals and no exponent.");
  }
  const pesewas = BigInt(cedis + decimals.padEnd(2, "0"));
  if (pesewas === 0n || pesewas > MAX_PESEWAS) return new Refusal("invalid_amount", "The amount must be from 0.01 to 1000000000.00.");
  if (pesewas >= toPesewas(min) && pesewas <= toPesewas(max)) return fromPesewas(pesewas);
  return new Refusal("donation_out_of_range", `The donation must be between ${min} and ${max} GHS.`);
}

function checkItem(item: SoldItem): SoldItem {
  const { sku, name, price } = item;
  checkName(name, `the name of ${sku}`);
  checkAmount(price, `the price of ${sku}`);
  return { sku, name, price: fromPesewas(toPesewas(price)) };
}

/** Names are short because 30 of them must fit into the metadata of a checkout. */
export function checkName(name: unknown, what: string): void {
  if (typeof name === "string" && name !== "" && Buffer.byteLength(name) <= 60 && !/\p{Cc}/u.test(name)) return;
  throw new TuaUsageError(`${what} is a text of 1 to 60 bytes on one line.`);
}
