confirm-back = Go back, and change nothing
confirm-refund = Return GH₵{ $amount } to { $who }?
confirm-refund-verb = Return GH₵{ $amount } to { $who }
confirm-approve = Approve this payout, and send GH₵{ $amount } to { $who }?
confirm-approve-verb = Approve, and send GH₵{ $amount } to { $who }
confirm-refuse = Decline the payout of GH₵{ $amount } to { $who }? No money is sent.
confirm-refuse-verb = Decline the payout of GH₵{ $amount } to { $who }
confirm-cancel = Cancel the payout of GH₵{ $amount } to { $who }? It cannot be undone.
confirm-cancel-verb = Cancel the payout of GH₵{ $amount } to { $who }
confirm-batch-approve = Send GH₵{ $amount } in all, { $count ->
    [one] { $count } payout
   *[other] { $count } payouts
} of the batch “{ $who }”?
confirm-batch-approve-verb = Approve, and send GH₵{ $amount } in all
confirm-batch-refuse = Decline the batch “{ $who }” of GH₵{ $amount }, { $count ->
    [one] { $count } payout
   *[other] { $count } payouts
}?
confirm-batch-refuse-verb = Decline the batch of GH₵{ $amount }
confirm-batch-cancel = Stop { $count ->
    [one] the payout of the batch “{ $who }” that is not sent
   *[other] the { $count } payouts of the batch “{ $who }” that are not sent
}, GH₵{ $amount } in all? It cannot be undone.
confirm-batch-cancel-verb = Stop payouts of GH₵{ $amount }
confirm-settle-successful = Record GH₵{ $amount } of { $who } as successful? It cannot be undone.
confirm-settle-successful-verb = Record GH₵{ $amount } of { $who } as successful
confirm-settle-failed = Record GH₵{ $amount } of { $who } as failed? It cannot be undone.
confirm-settle-failed-verb = Record GH₵{ $amount } of { $who } as failed
confirm-close-day = Close the day { $who }, and sign its figures off? It cannot be undone.
confirm-close-day-verb = Close { $who }
confirm-revoke = Revoke the key { $who }? What uses it stops at once, and the checkouts that it opened are closed. It cannot be undone.
confirm-revoke-verb = Revoke the key { $who }
confirm-remove-person = Remove { $who } from this account? The person is signed out of it at once.
confirm-remove-person-verb = Remove { $who }
confirm-reset = Make a new sign-in link for { $who }? The person is signed out everywhere at once. The password, codes and passkeys of now end when the link is used.
confirm-reset-verb = Make a new link for { $who }
confirm-remove-channel = Remove { $who }? What waits for it is not sent. It cannot be undone.
confirm-remove-channel-verb = Remove { $who }
confirm-remove-endpoint = Remove the endpoint { $who }? Events that wait are not sent to it any more. It cannot be undone.
confirm-remove-endpoint-verb = Remove the endpoint { $who }
confirm-close-link = Close the link “{ $who }”? Nobody can pay with it, and payers who have its page open can no longer begin a payment.
confirm-close-link-verb = Close the link “{ $who }”
confirm-close-checkout = Close the checkout { $who }? Its payer can no longer begin a payment.
confirm-close-checkout-verb = Close the checkout { $who }
confirm-role = Give { $who } the role { $what }?
confirm-role-verb = Give { $who } the role { $what }
confirm-lift = Lift these limits, as { $who } asked?
confirm-lift-verb = Lift these limits
confirm-refuse-lift = Decline the request of { $who } to lift these limits? They stay as they are.
confirm-refuse-lift-verb = Decline the request of { $who }
confirm-own-lift = Lift these limits of { $who }? Where another person must approve it, they are asked.
confirm-own-lift-verb = Lift these limits of { $who }
confirm-payment = Of the payment
confirm-payment-left = Left of it afterwards
