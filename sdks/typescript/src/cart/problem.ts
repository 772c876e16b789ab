import type { Fault } from "../errors.js";

const TITLES: Record<string, string> = {
  body_too_large: "The body is too large",
  donation_out_of_range: "The donation is too small or too large",
  duplicate_sku: "An item appears twice",
  empty_cart: "The cart is empty",
  field_not_allowed: "A field is not allowed here",
  field_required: "A required field is missing",
  internal_error: "The service failed",
  invalid_amount: "The amount is not valid",
  invalid_email: "The e-mail address is not valid",
  invalid_metadata: "The metadata is not valid",
  invalid_quantity: "A quantity is not valid",
  invalid_text: "A text is not valid",
  invalid_type: "A value has the wrong JSON type",
  malformed_json: "The body is not valid JSON",
  rate_limited: "Too many requests",
  too_long: "A text is too long",
  too_many_items: "The cart has too many items",
  unknown_field: "A field does not exist",
  unknown_sku: "The shop does not sell this item",
  unsupported_media_type: "The Content-Type or Content-Encoding is not supported",
  upstream_refused: "The payment service refused the shop's request",
  upstream_unavailable: "The payment service is not available",
  validation_failed: "Several fields are not valid",
};

/** Whether a page knows the code. */
export function isKnownCode(code: string): boolean {
  return Object.hasOwn(TITLES, code);
}

/** A cart that is refused. `reason` is for the log of the shop, and leaves it nowhere else. */
export class CartProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly errors: Fault[] = [],
    readonly reason?: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }

  /** The refusal of a cart with these faults. The code and the detail of a single fault are those of the request. */
  static of(faults: Fault[]): CartProblem {
    const [first] = faults;
    if (faults.length === 1 && first) return new CartProblem(422, first.code, first.detail, faults);
    return new CartProblem(422, "validation_failed", `${faults.length} fields are not valid. See errors.`, faults);
  }

  /** The document (RFC 9457). `errorPages` is the address of the service's pages about codes. */
  write(errorPages: string): string {
    const { status, code, detail, errors } = this;
    const document = { type: errorPages + code, title: TITLES[code] ?? "Error", status, detail, code };
    return JSON.stringify(errors.length > 0 ? { ...document, errors } : document);
  }
}
