/** Every status that a resource can have. A response with another one is refused. */
const KNOWN_STATUSES = new Set(["PENDING", "SUCCESSFUL", "FAILED", "OPEN", "PAID", "EXPIRED", "CLOSED", "COMPLETED", "USED"]);

/** A sentence about a status of a resource, or of one within it, that this version does not have. */
export function findUnknownStatus(body: Record<string, unknown>): string | undefined {
  const { status, transaction, data, payouts } = body;
  if (status !== undefined && !KNOWN_STATUSES.has(status as string)) return `the status ${JSON.stringify(status)} is not known`;
  return [transaction, data, payouts]
    .flat()
    .filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null)
    .map(findUnknownStatus)
    .find((fault) => fault !== undefined);
}
