import { TuaUnexpectedResponseError } from "./errors.js";

export interface Page<T> {
  data: T[];
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
}

/** All items of a list, newest first. Pages are read as they are needed: `for await (const item of pages)`. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** One page: the first, or the one of a cursor. */
  page(cursor?: string): Promise<Page<T>> {
    return this.#read(cursor);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield* page.data;
      cursor = page.nextCursor ?? undefined;
      if (cursor !== undefined && cursors.has(cursor)) {
        const facts = { outcomeUnknown: false, idempotencyKey: undefined };
        throw new TuaUnexpectedResponseError("A list has the same cursor twice, so it never ends.", 200, facts);
      }
      if (cursor !== undefined) cursors.add(cursor);
    } while (cursor !== undefined);
  }

  /** All items in an array. Use it where there are few. */
  async toArray(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
