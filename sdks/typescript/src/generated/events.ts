// Generated from docs/openapi.json by scripts/types.mjs. Do not edit.

/** An example of every event, by its type. */
export const EXAMPLE_EVENTS: Readonly<Record<string, Record<string, unknown>>> = {
  "charge.action_required": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "APPROVE_ON_PHONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 0,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.action_required"
  },
  "charge.conflict": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": {
        "at": "2026-11-21T10:00:00.000Z",
        "decision": null,
        "observed": "FAILED"
      },
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 0,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.conflict"
  },
  "charge.delayed": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "WAIT",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 0,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.delayed"
  },
  "charge.failed": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": {
        "code": "customer_rejected",
        "message": "The payer declined. No money moved.",
        "retryable": true
      },
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 0,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "FAILED",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.failed"
  },
  "charge.pending": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "WAIT",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 0,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.pending"
  },
  "charge.successful": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": 10.5,
      "refundedAmount": 0,
      "reversedAt": null,
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "CHARGE",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "charge.successful"
  },
  "checkout.attempt_failed": {
    "data": {
      "amount": 10.5,
      "attemptsLeft": 5,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "expiresAt": "2026-11-21T10:30:00.000Z",
      "linkId": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "paidTransaction": null,
      "reference": "order-17",
      "returnUrl": "https://shop.example/thanks",
      "status": "OPEN",
      "transaction": null
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "checkout.attempt_failed"
  },
  "checkout.closed": {
    "data": {
      "amount": 10.5,
      "attemptsLeft": 5,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "expiresAt": "2026-11-21T10:30:00.000Z",
      "linkId": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "paidTransaction": null,
      "reference": "order-17",
      "returnUrl": "https://shop.example/thanks",
      "status": "CLOSED",
      "transaction": null
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "checkout.closed"
  },
  "checkout.expired": {
    "data": {
      "amount": 10.5,
      "attemptsLeft": 5,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "expiresAt": "2026-11-21T10:30:00.000Z",
      "linkId": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "paidTransaction": null,
      "reference": "order-17",
      "returnUrl": "https://shop.example/thanks",
      "status": "EXPIRED",
      "transaction": null
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "checkout.expired"
  },
  "checkout.opened": {
    "data": {
      "amount": 10.5,
      "attemptsLeft": 5,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "expiresAt": "2026-11-21T10:30:00.000Z",
      "linkId": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "paidTransaction": null,
      "reference": "order-17",
      "returnUrl": "https://shop.example/thanks",
      "status": "OPEN",
      "transaction": null
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "checkout.opened"
  },
  "checkout.paid": {
    "data": {
      "amount": 10.5,
      "attemptsLeft": 4,
      "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "expiresAt": "2026-11-21T10:30:00.000Z",
      "linkId": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "paidTransaction": {
        "amount": 10.5,
        "batchId": null,
        "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
        "codeAttemptsLeft": null,
        "conflict": null,
        "createdAt": "2026-11-21T10:00:00.000Z",
        "currency": "GHS",
        "email": "ama@example.com",
        "failure": null,
        "metadata": {
          "order": 17
        },
        "mode": "test",
        "network": "MTN",
        "nextAction": "NONE",
        "operator": null,
        "operatorFee": null,
        "operatorTransactionId": null,
        "payeeNote": null,
        "payerMessage": null,
        "payerPays": 10.5,
        "phoneNumber": "0241234567",
        "reference": "order-17",
        "refundableAmount": 10.5,
        "refundedAmount": 0,
        "reversedAt": null,
        "status": "SUCCESSFUL",
        "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
        "type": "CHARGE",
        "updatedAt": "2026-11-21T10:00:00.000Z"
      },
      "reference": "order-17",
      "returnUrl": "https://shop.example/thanks",
      "status": "PAID",
      "transaction": {
        "amount": 10.5,
        "batchId": null,
        "checkoutId": "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
        "codeAttemptsLeft": null,
        "conflict": null,
        "createdAt": "2026-11-21T10:00:00.000Z",
        "currency": "GHS",
        "email": "ama@example.com",
        "failure": null,
        "metadata": {
          "order": 17
        },
        "mode": "test",
        "network": "MTN",
        "nextAction": "NONE",
        "operator": null,
        "operatorFee": null,
        "operatorTransactionId": null,
        "payeeNote": null,
        "payerMessage": null,
        "payerPays": 10.5,
        "phoneNumber": "0241234567",
        "reference": "order-17",
        "refundableAmount": 10.5,
        "refundedAmount": 0,
        "reversedAt": null,
        "status": "SUCCESSFUL",
        "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
        "type": "CHARGE",
        "updatedAt": "2026-11-21T10:00:00.000Z"
      }
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "checkout.paid"
  },
  "payout.conflict": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": {
        "at": "2026-11-21T10:00:00.000Z",
        "decision": null,
        "observed": "FAILED"
      },
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": null,
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.conflict"
  },
  "payout.delayed": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "WAIT",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": null,
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.delayed"
  },
  "payout.failed": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": {
        "code": "recipient_not_found",
        "message": "The recipient's number has no wallet on this network. No money moved.",
        "retryable": false
      },
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": null,
      "status": "FAILED",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.failed"
  },
  "payout.pending": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "WAIT",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": null,
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.pending"
  },
  "payout.reversed": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": "2026-11-21T10:00:00.000Z",
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.reversed"
  },
  "payout.successful": {
    "data": {
      "amount": 10.5,
      "batchId": null,
      "checkoutId": null,
      "codeAttemptsLeft": null,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "email": "ama@example.com",
      "failure": null,
      "metadata": {
        "order": 17
      },
      "mode": "test",
      "network": "MTN",
      "nextAction": "NONE",
      "operator": null,
      "operatorFee": null,
      "operatorTransactionId": null,
      "payeeNote": null,
      "payerMessage": null,
      "payerPays": 10.5,
      "phoneNumber": "0241234567",
      "reference": "order-17",
      "refundableAmount": null,
      "refundedAmount": null,
      "reversedAt": null,
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "type": "PAYOUT",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "payout.successful"
  },
  "ping": {
    "data": {
      "endpointId": "whe_019aa5f0c2007d3e8a1b4c5d6e7f8093"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "ping"
  },
  "refund.conflict": {
    "data": {
      "amount": 10.5,
      "conflict": {
        "at": "2026-11-21T10:00:00.000Z",
        "decision": null,
        "observed": "FAILED"
      },
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "failure": null,
      "method": "NATIVE",
      "nextAction": "NONE",
      "operator": null,
      "reason": "One of two items was sold out",
      "refundId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8095",
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "refund.conflict"
  },
  "refund.delayed": {
    "data": {
      "amount": 10.5,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "failure": null,
      "method": "NATIVE",
      "nextAction": "WAIT",
      "operator": null,
      "reason": "One of two items was sold out",
      "refundId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8095",
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "refund.delayed"
  },
  "refund.failed": {
    "data": {
      "amount": 10.5,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "failure": {
        "code": "recipient_not_found",
        "message": "The recipient's number has no wallet on this network. No money moved.",
        "retryable": false
      },
      "method": "NATIVE",
      "nextAction": "NONE",
      "operator": null,
      "reason": "One of two items was sold out",
      "refundId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8095",
      "status": "FAILED",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "refund.failed"
  },
  "refund.pending": {
    "data": {
      "amount": 10.5,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "failure": null,
      "method": "NATIVE",
      "nextAction": "WAIT",
      "operator": null,
      "reason": "One of two items was sold out",
      "refundId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8095",
      "status": "PENDING",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "refund.pending"
  },
  "refund.successful": {
    "data": {
      "amount": 10.5,
      "conflict": null,
      "createdAt": "2026-11-21T10:00:00.000Z",
      "currency": "GHS",
      "failure": null,
      "method": "NATIVE",
      "nextAction": "NONE",
      "operator": null,
      "reason": "One of two items was sold out",
      "refundId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8095",
      "status": "SUCCESSFUL",
      "transactionId": "txn_019aa5f0c2007d3e8a1b4c5d6e7f8091",
      "updatedAt": "2026-11-21T10:00:00.000Z"
    },
    "timestamp": "2026-11-21T10:00:00.000Z",
    "type": "refund.successful"
  }
};
