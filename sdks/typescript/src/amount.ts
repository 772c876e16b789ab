import { writeMetadata } from "./cart/json.js";
import { TuaUsageError } from "./errors.js";
import { MONEY_MEMBERS } from "./generated/members.js";

/** A sum in cedis (GHS) as a decimal string. Those of the service have exactly two decimals: `"10.50"`. */
export type Amount = string;

const AMOUNT = /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?$/;

/** Whole pesewas of an amount: 1,050 of `"10.50"`. */
export function toPesewas(amount: Amount): bigint {
  checkAmount(amount, "amount");
  const [cedis, decimals = ""] = amount.split(".");
  return BigInt(cedis + decimals.padEnd(2, "0"));
}

/** The amount of whole pesewas: `"10.50"` of 1,050. */
export function fromPesewas(pesewas: bigint | number): Amount {
  if (typeof pesewas === "number" && !Number.isSafeInteger(pesewas)) {
    throw new TuaUsageError(`Pesewas are whole numbers, and ${pesewas} is none.`);
  }
  const digits = BigInt(pesewas).toString();
  if (digits.startsWith("-")) throw new TuaUsageError(`An amount is not negative, as ${digits} pesewas is.`);
  const padded = digits.padStart(3, "0");
  return `${padded.slice(0, -2)}.${padded.slice(-2)}`;
}

/** Refuses what is not a decimal string. The service decides about limits. */
export function checkAmount(value: unknown, name: string): asserts value is Amount {
  if (typeof value !== "string") {
    throw new TuaUsageError(
      `${name} is a ${typeof value}. Write it as a decimal string in cedis such as "18.00": ` +
        "a number of JavaScript is a float, and 0.1 + 0.2 is not 0.3.",
    );
  }
  if (!AMOUNT.test(value)) {
    throw new TuaUsageError(
      `${name} is ${JSON.stringify(value)}. Write cedis with at most two decimals and no sign, such as "18.00". ` +
        "Nothing is rounded for you.",
    );
  }
}

/** The JSON of a request, with its money as numbers. */
export function encodeBody(body: object): string {
  return encode(body, "");
}

/**
 * JSON of a request. Money is written with the digits of its string, so no float is involved. `metadata` is the merchant's
 * own, and is written as it is.
 */
function encode(value: unknown, pointer: string): string {
  if (Array.isArray(value)) return `[${value.map((item, index) => encode(item, `${pointer}/${index}`)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${encodeMember(name, member, pointer)}`).join(",")}}`;
}

function encodeMember(name: string, member: unknown, pointer: string): string {
  if (name === "metadata") return writeMetadata(member);
  if (!MONEY_MEMBERS.has(name) || member === null) return encode(member, `${pointer}/${name}`);
  checkAmount(member, `${pointer}/${name}`.slice(1));
  return member;
}

/**
 * A response with its money as decimal strings. JavaScript's number of an amount with at most 15 digits has exactly one
 * decimal text of two places, so this is exact. Null where a sum is not in whole pesewas, which the service never sends.
 */
export function decodeMoney(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeMoney);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decodeMember(name, member)]));
}

function decodeMember(name: string, member: unknown): unknown {
  if (name === "metadata") return member;
  if (!MONEY_MEMBERS.has(name) || typeof member !== "number") return decodeMoney(member);
  const text = member.toFixed(2);
  if (Math.abs(member) >= 1e13 || Number(text) !== member) {
    throw new RangeError(`${name} is ${member}, which is not an amount in whole pesewas`);
  }
  return text;
}
