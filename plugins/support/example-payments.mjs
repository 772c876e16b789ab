/* Examples of a checkout of GHS 18 and its charges, as the service sends them, for unit tests. */

/**
 * `example` returns the data of an event of the SDK's examples with changes. `own` are the members by which the plug-in knows what
 * it began.
 */
export function examplesOf(example, checkoutId, own) {
  const ofCheckout = { checkoutId, amount: 18, ...own };
  const chargeOf = (transactionId, changes) =>
    example("charge.successful", { transactionId, refundableAmount: 18, ...ofCheckout, ...changes });
  return {
    chargeOf,
    failedCharge: (transactionId, changes) =>
      chargeOf(transactionId, { ...example("charge.failed"), transactionId, ...ofCheckout, ...changes }),
    /** A checkout that a charge has paid. A later charge can be its `transaction`. */
    paidCheckout: (charge, changes) =>
      example("checkout.paid", { paidTransaction: charge, transaction: charge, ...ofCheckout, ...changes }),
    /** A report of the operator against the outcome, decided or not. */
    conflict: (observed, decision = null) => ({ observed, decision, at: "2026-11-21T10:00:00.000Z" }),
  };
}
