import { TuaUsageError } from "../errors.js";

/** A number of JSON as it was written: `1.50` stays `1.50`. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export type JsonObject = Map<string, Json>;
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;

/** JSON that is written into a request as it is. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Why a body is not JSON. The message has nothing of the body. */
export class JsonError extends Error {}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const MAX_DEPTH = 32;

/** Reads JSON strictly: UTF-8, at most 32 levels, and no name twice in an object. */
export function parseJson(body: Uint8Array): Json {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new JsonError("The body is not UTF-8.");
  }
  try {
    JSON.parse(text);
  } catch {
    throw new JsonError("The body is not valid JSON.");
  }
  return new Reader(text.match(TOKEN) ?? []).read(MAX_DEPTH);
}

/** Reads the tokens of a text that is JSON. */
class Reader {
  #next = 0;

  constructor(private readonly tokens: string[]) {}

  read(depth: number): Json {
    const token = this.#take();
    if (token === "[" || token === "{") {
      if (depth === 0) throw new JsonError("The body has more than 32 levels of nesting.");
      return token === "[" ? this.#readItems(depth - 1) : this.#readMembers(depth - 1);
    }
    if (token.startsWith('"')) return readString(token);
    return { true: true, false: false, null: null }[token] ?? (token === "null" ? null : new JsonNumber(token));
  }

  #readItems(depth: number): Json[] {
    const items: Json[] = [];
    while (!this.#ends("]")) items.push(this.read(depth));
    return items;
  }

  #readMembers(depth: number): JsonObject {
    const members: JsonObject = new Map();
    while (!this.#ends("}")) {
      const name = readString(this.#take());
      if (members.has(name)) throw new JsonError("The body is not valid JSON: one object contains the same member twice.");
      this.#take();
      members.set(name, this.read(depth));
    }
    return members;
  }

  /** Whether the array or object ends here; passes over a comma. */
  #ends(bracket: string): boolean {
    if (this.tokens[this.#next] === ",") this.#next += 1;
    if (this.tokens[this.#next] !== bracket) return false;
    this.#next += 1;
    return true;
  }

  #take(): string {
    return this.tokens[this.#next++] ?? "";
  }
}

function readString(token: string): string {
  const text = JSON.parse(token) as string;
  if (LONE_SURROGATE.test(text)) throw new JsonError("The body is not valid JSON: a text is not Unicode.");
  return text;
}

/** The text of a value, with its numbers as they were written. */
export function writeJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(",")}}`;
}

/** `metadata` of a request: the merchant's own, so it is written as it is. */
export function writeMetadata(metadata: unknown): string {
  if (metadata instanceof RawJson) return metadata.text;
  const text = JSON.stringify(metadata) as string | undefined;
  if (text === undefined) throw new TuaUsageError("metadata has no form in JSON.");
  return text;
}
