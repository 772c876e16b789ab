import type { ChargeRequest, CodeRequest, ListOptions, PayoutBatch, PayoutBatchRequest, PayoutRequest } from "../types.js";
import type { Refund, RefundRequest, RequestOptions, Transaction, TransactionFilter, TransactionWithMessage } from "../types.js";
import type { WaitOptions } from "../types.js";
import type { Pages } from "../pages.js";
import { readOperation } from "../http.js";
import { waitForOutcome } from "../wait.js";
import { Resource, segment } from "./base.js";

export class Charges extends Resource {
  /** Collects money from a wallet. The response is usually PENDING: the payer approves on the phone. */
  create(request: ChargeRequest, options?: RequestOptions): Promise<TransactionWithMessage> {
    return this.begin("/charge", request, "transactionId", options);
  }

  /** Submits the passcode or voucher that the payer was sent. A wrong one is no error: `codeAttemptsLeft` is one less. */
  submitCode(request: CodeRequest, options?: RequestOptions): Promise<TransactionWithMessage> {
    return this.begin("/submit-otp", request, "transactionId", options);
  }
}

export class Transactions extends Resource {
  /** The charge or payout as it is now. */
  get(transactionId: string, options?: RequestOptions): Promise<Transaction> {
    return this.read(`/status/${segment(transactionId, "transactionId")}`, "transactionId", transactionId, options);
  }

  /** All charges and payouts that the filter leaves. */
  list(filter: TransactionFilter & ListOptions = {}): Pages<Transaction> {
    const { pageSize, ...members } = filter;
    return this.readPages("/transactions", members, pageSize);
  }

  /** Waits until the outcome is known. After `timeout` it returns the transaction as it is, which may be PENDING. */
  wait(transactionId: string, options?: WaitOptions): Promise<Transaction> {
    const path = `/status/${segment(transactionId, "transactionId")}`;
    return waitForOutcome<Transaction>(this.config(), readOperation(path, "transactionId", transactionId), options);
  }
}

export class Payouts extends Resource {
  /** Sends money to a wallet. */
  create(request: PayoutRequest, options?: RequestOptions): Promise<TransactionWithMessage> {
    return this.begin("/payout", request, "transactionId", options);
  }

  /** Ends a payout that was not handed over to its operator. */
  cancel(transactionId: string, options?: RequestOptions): Promise<TransactionWithMessage> {
    const path = `/payouts/${segment(transactionId, "transactionId")}/cancel`;
    return this.end(path, "transactionId", transactionId, options);
  }

  /** Sends money to up to 1,000 wallets. With one fault, none of the payouts is begun. */
  createBatch(request: PayoutBatchRequest, options?: RequestOptions): Promise<PayoutBatch> {
    return this.begin("/payouts/batches", request, "batchId", options);
  }

  getBatch(batchId: string, options?: RequestOptions): Promise<PayoutBatch> {
    return this.read(`/payouts/batches/${segment(batchId, "batchId")}`, "batchId", batchId, options);
  }

  /** Ends the payouts of a batch that were not handed over. */
  cancelBatch(batchId: string, options?: RequestOptions): Promise<PayoutBatch> {
    return this.end(`/payouts/batches/${segment(batchId, "batchId")}/cancel`, "batchId", batchId, options);
  }
}

export class Refunds extends Resource {
  /** Returns all or a part of a charge. Without `amount`, it returns all that is left. */
  create(request: RefundRequest, options?: RequestOptions): Promise<Refund> {
    return this.begin("/refunds", request, "refundId", options);
  }

  get(refundId: string, options?: RequestOptions): Promise<Refund> {
    return this.read(`/refunds/${segment(refundId, "refundId")}`, "refundId", refundId, options);
  }

  list(filter: { transactionId?: string | undefined } & ListOptions = {}): Pages<Refund> {
    const { pageSize, ...members } = filter;
    return this.readPages("/refunds", members, pageSize);
  }

  /** Ends a refund that was not handed over to its operator. */
  cancel(refundId: string, options?: RequestOptions): Promise<Refund> {
    return this.end(`/refunds/${segment(refundId, "refundId")}/cancel`, "refundId", refundId, options);
  }

  /** Waits until the outcome is known. After `timeout` it returns the refund as it is, which may be PENDING. */
  wait(refundId: string, options?: WaitOptions): Promise<Refund> {
    const path = `/refunds/${segment(refundId, "refundId")}`;
    return waitForOutcome<Refund>(this.config(), readOperation(path, "refundId", refundId), options);
  }
}
