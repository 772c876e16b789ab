batch-title = Batch
batches-title = Batches
batches-none = There is no batch of payouts yet.
batches-waiting = waits for an approval
batches-done = completed
batches-pending = { $count ->
    [one] { $count } payout pending
   *[other] { $count } payouts pending
}
batch-sum = { $count ->
    [one] { $count } payout, GHS { $total } in all
   *[other] { $count } payouts, GHS { $total } in all
}
batch-progress = { $successful } successful, { $failed } failed, { $pending } pending
batch-asked-by = asked for by
batch-warnings = { $count ->
    [one] { $count } payout repeats an earlier one
   *[other] { $count } payouts repeat an earlier one
}
batch-waits = This batch waits for the approval of a second person. Nothing is sent before.
batch-own = You asked for this batch, or made the key that did, so another person must approve it.
batch-approve = { $count ->
    [one] Approve { $count } payout of GHS { $total }
   *[other] Approve { $count } payouts of GHS { $total }
}
batch-cancel = Cancel what is not sent
batch-results = Results as CSV
batch-line = Line
batch-repeats = same amount and wallet as an earlier payout
to-batch = To the batch
done-batch-approved = The batch is approved. The service sends its payouts now.
done-batch-refused = The batch is refused. Its payouts have ended, and no money moved.
done-batch-cancelled = The payouts that were not sent are cancelled. The others go on.
fault-part-of-batch = It is a line of a batch, which is approved or refused whole.
