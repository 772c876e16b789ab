import { isIPv6 } from "node:net";

/** The number of requests after which full buckets are removed, so that addresses do not fill the memory. */
const SWEEP_INTERVAL = 1_024;

/** A token bucket for each address. It holds `burst` tokens, and gets all of them back within `periodMs`. */
export class AddressLimit {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();
  #counted = 0;

  constructor(
    private readonly burst: number,
    private readonly periodMs: number,
  ) {}

  /** Takes a token: 0, or the seconds until the address has one. */
  count(address: string): number {
    const now = performance.now();
    if ((this.#counted += 1) % SWEEP_INTERVAL === 0) this.#sweep(now);
    const key = network(address);
    const tokens = this.#tokens(key, now);
    if (tokens < 1) return Math.ceil(((1 - tokens) * this.periodMs) / this.burst / 1_000);
    this.#buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }

  #tokens(key: string, now: number): number {
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.burst, at: now };
    return Math.min(this.burst, tokens + ((now - at) * this.burst) / this.periodMs);
  }

  #sweep(now: number): void {
    for (const key of this.#buckets.keys()) if (this.#tokens(key, now) === this.burst) this.#buckets.delete(key);
  }
}

/** IPv6: the /64, which is what one household or server is assigned (RFC 6177). */
function network(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [start = "", end = ""] = address.split("%", 1)[0]!.split("::");
  const [head, tail] = [start, end].map((part) => part.split(":").filter(Boolean));
  const zeros = address.includes("::") ? Array<string>(8 - head!.length - tail!.length).fill("0") : [];
  return [...head!, ...zeros, ...tail!].slice(0, 4).map((part) => parseInt(part, 16).toString(16)).join(":");
}
