import type { Transaction } from "@tua-pay/node";

/** Whether the money of a charge has arrived, by any report of its operator, unless a review found that it did not. */
export function isReceived({ status, conflict }: Transaction): boolean {
  const isReported = status === "SUCCESSFUL" || conflict?.observed === "SUCCESSFUL";
  return isReported && conflict?.decision !== "FAILED";
}
