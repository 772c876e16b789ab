import { checkAmount, fromPesewas, toPesewas } from "../amount.js";
import type { Config } from "../config.js";
import { TuaUsageError } from "../errors.js";
import { readOperation, send, type Operation } from "../http.js";
import { Pages, type Page } from "../pages.js";
import type { RequestOptions } from "../types.js";

/** The routes of one kind of thing. */
export abstract class Resource {
  /** Not enumerable and not inspectable, because it holds the key. */
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  protected config(): Config {
    return this.#config;
  }

  protected async call<T>(operation: Operation, options?: RequestOptions): Promise<T> {
    return (await send(this.#config, operation, options)).body as T;
  }

  /** Sends a request that begins something, with an `Idempotency-Key`. */
  protected begin<T>(path: string, body: object, identifier: string, options?: RequestOptions): Promise<T> {
    const { reference, transactionId, amount } = body as Record<string, string | null | undefined>;
    if (amount !== undefined && amount !== null) checkAmount(amount, "amount");
    const expected = {
      reference: reference ?? undefined,
      transactionId: transactionId ?? undefined,
      amount: amount ? fromPesewas(toPesewas(amount)) : undefined,
    };
    return this.call<T>({ method: "POST", path, repetition: "keyed", body, identifier, expected }, options);
  }

  /** Sends a request that ends something, and may be repeated. */
  protected end<T>(path: string, name: string, id: string, options?: RequestOptions): Promise<T> {
    return this.call<T>({ method: "POST", path, repetition: "repeatable", identifier: name, expected: { [name]: id } }, options);
  }

  protected read<T>(path: string, name: string, id: string, options?: RequestOptions): Promise<T> {
    return this.call<T>(readOperation(path, name, id), options);
  }

  protected readPages<T>(
    path: string,
    filter: Record<string, string | undefined>,
    pageSize: number | undefined,
    findUnknown?: Operation["findUnknown"],
  ): Pages<T> {
    return new Pages<T>((cursor) => {
      const query = { ...filter, limit: pageSize, cursor };
      const operation = { method: "GET", path, repetition: "reads", query, identifier: "data" } as const;
      return this.call<Page<T>>(findUnknown ? { ...operation, findUnknown } : operation);
    });
  }
}

/** An identifier as a part of a path. */
export function segment(id: string, name: string): string {
  if (typeof id !== "string" || ["", ".", ".."].includes(id)) throw new TuaUsageError(`${name} is empty or no identifier.`);
  return encodeURIComponent(id);
}
