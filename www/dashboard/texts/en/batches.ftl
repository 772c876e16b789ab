batch-title = Pay many people:
batches-new = Choose a file
batches-title = Pay many people
batches-none = No batch yet. Begin with a file that has a phone number and an amount in each line.
batches-waiting = waits for an approval
batches-all-paid = all paid
batches-not-approved = not approved, nothing sent
batch-not-approved = { $count ->
    [one] { $count } payout was not approved: nothing was sent.
   *[other] { $count } payouts were not approved: nothing was sent.
}
batch-declined = Declined by { $who }: { $note }
batches-some-failed = { $paid } of { $count } paid, { $failed } failed
batches-pending = { $count ->
    [one] { $count } payout pending
   *[other] { $count } payouts pending
}
batch-sum = { $count ->
    [one] { $count } payout, GH₵{ $total } in all
   *[other] { $count } payouts, GH₵{ $total } in all
}
batch-progress = { $successful } successful, { $failed } failed, { $pending } pending
batch-fees = Operators’ fees by their tariffs: GH₵{ $fees }
batch-asked-by = asked for by
batch-asked-by-key = asked for with the key
batch-asked-on-console = asked for on the command line
batch-warnings = { $count ->
    [one] { $count } payout repeats an earlier one
   *[other] { $count } payouts repeat an earlier one
}
batch-waits = This batch waits for the approval of a second person. Nothing is sent before.
batch-own = You asked for this batch, or made the key that did, so another person must approve it.
batch-approve = { $count ->
    [one] Approve { $count } payout of GH₵{ $total }
   *[other] Approve { $count } payouts of GH₵{ $total }
}
batch-cancel = Stop the payouts that are not sent
batch-results = Results as CSV
batch-line = Line
upload-line-fault = { $count ->
    [one] Line { $lines }: { $text }
   *[other] Lines { $lines }: { $text }
}
upload-many-lines-fault = { $more ->
    [one] Lines { $lines } and { $more } other: { $text }
   *[other] Lines { $lines } and { $more } others: { $text }
}
batch-number = Payout
batch-again-help = No money moved for those that failed. You first see each line again, and can correct it.
batch-again = { $count ->
    [one] Pay the one that failed again
   *[other] Pay the { $count } that failed again
}
batch-repeats = same amount and wallet as an earlier payout
to-batch = To the batch
done-batch-approved = The batch is approved. The service sends its payouts now.
done-batch-refused = The batch was declined. Its payouts have ended, and no money moved.
done-batch-cancelled = The payouts that were not sent are cancelled. The others go on.
fault-part-of-batch = It is a line of a batch, which is approved or refused whole.
upload-title = Pay many people from a file
upload-help = A workbook (.xlsx) or a table saved as CSV, at most 1,000 lines. The first line has the names of the columns. The name is compared with the one that the operator has registered, and shown beside the number until somebody has decided.
upload-columns-required = Needed: Phone, Amount
upload-columns-optional = If you like: Network (else the network is taken from the number), Name, Reference, Note
upload-example = Download an example to fill in
upload-missing-phoneNumber = A column with the phone numbers is missing: name it Phone.
upload-missing-network = A column with the networks is missing: name it Network.
upload-missing-amount = A column with the amounts is missing: name it Amount.
upload-guessed-networks = { $count ->
    [one] { $count } line has no network, so it was taken from the number. A number may be with another network: check it.
   *[other] { $count } lines have no network, so it was taken from the number. A number may be with another network: check them.
}
line-guessed-network = network taken from the number
upload-name = Your name for the batch, such as a month
upload-file = File
upload-footer = Lines below the table to leave out, by how they begin, such as: Total; Prepared by
upload-paste = Or paste the lines here
upload-check = Check the lines
upload-check-help = Nothing is sent yet. You first see every line and the sum.
upload-lines = Lines of the file
upload-result = Result of the check
batch-name = Name: { $name }
batch-note = Note
upload-faulty = { $count ->
    [one] { $count } line has a fault. Nothing is sent before every line is right.
   *[other] { $count } lines have faults. Nothing is sent before every line is right.
}
upload-needs-approval = The sum is above your limit, so a second person must approve the batch before anything is sent.
upload-sent-at-once = Nobody else has to approve it: the service sends the payouts at once.
upload-confirm = { $count ->
    [one] Pay { $count } person GH₵{ $total }
   *[other] Pay { $count } people GH₵{ $total } in all
}
upload-ask = { $count ->
    [one] Send { $count } payout of GH₵{ $total } for approval
   *[other] Send { $count } payouts of GH₵{ $total } for approval
}
approvers-limit = Payouts above GH₵{ $amount } need a second person.
approvers-limit-was-lower = This batch was asked for when the limit was lower, so it still waits for a second person. The limit is GH₵{ $amount } now.
approvers-people = Who can approve it: { $people }.
approvers-none = Nobody else in this account can approve payouts. Invite a second person with the role finance, admin or owner, or send less at once.
approvers-invite = Invite a second person
approvers-change-limit = Change the limit
upload-correct = Correct the lines here, or choose another file
upload-again = Choose another file
upload-not-text = The file is neither a workbook (.xlsx) nor text. Save it as .xlsx or as CSV. Nothing was begun.
upload-old-workbook = The file is an old workbook (.xls), or has a password. Save it as .xlsx without a password. Nothing was begun.
upload-not-a-workbook = The workbook cannot be read. Save it again as .xlsx or as CSV. Nothing was begun.
upload-workbook-too-large = The workbook is too large when it is unpacked. Delete what does not belong to it, or save it as CSV. Nothing was begun.
upload-beyond-sheet = The workbook names a cell that no sheet has. Save it again in a spreadsheet program, or as CSV. Nothing was begun.
upload-too-many-columns = The workbook has a text far to the right of the table. Delete it. Nothing was begun.
upload-several-sheets = Several sheets of the workbook have rows: { $names }. Choose the file again and say which sheet, or delete the others. Nothing was begun.
upload-no-sheet = The workbook has no sheet with this name. It has { $names }. Nothing was begun.
upload-sheet = Sheet of the workbook
upload-unreadable-header = Line { $names }, the header, has a quotation mark that is not closed. Nothing was begun.
upload-no-header = The file has { $names }. Nothing was begun.
upload-column-twice = Two columns have the same name or meaning: { $names }. Delete one of them. Nothing was begun.
upload-renamed-networks = { $count ->
    [one] { $count } line has another name of its network. Check how it was read.
   *[other] { $count } lines have another name of their network. Check how they were read.
}
file-lines = { $total ->
    [one] { $total } line in the file: { $read } read, { $leftOut } left out (header, empty lines and the like), { $refused } refused
   *[other] { $total } lines in the file: { $read } read, { $leftOut } left out (header, empty lines and the like), { $refused } refused
}
upload-too-many = The file has more than 1,000 lines. Divide it.
upload-empty = The file has no lines. Nothing was begun.
upload-reference = The name of the batch may have at most 64 characters on one line.
upload-suspended = The account is suspended, so nothing can be sent. Nothing was begun.
upload-later = The service is busy. Nothing was begun; try again in a minute.
upload-day-limit = The sum is more than the limit of a day leaves. Nothing was begun.
line-phone = This is no mobile number of Ghana.
line-phone-shortened = The spreadsheet program has shortened this number, and its last digits are lost. Format the column as text, and enter the number again.
line-unclosed-quote = A quotation mark opens in column { $column } and is not closed in this line. Close it, or delete it.
line-text-after-quote = Text follows the closing quotation mark of column { $column }. Write a quotation mark inside a cell twice.
line-beyond-header = Column { $column } has a text, but no header. An amount with a comma needs quotation marks, or write it without the comma.
line-unnamed-column = Column { $column } has a text, but no header.
line-too-few-cells = The line has fewer columns than the header, so the end of the file may be missing.
line-after-footer = The line follows the end of the table.
line-hidden = This row is hidden in the workbook. Show it, or delete it.
line-phone-decimal = This is a decimal or negative number. Format the column as text, and enter the phone number again.
line-formula = Column { $column } has a formula without its value. Open the file in the spreadsheet program, and save it again.
line-cell-error = Column { $column } has an error such as #N/A, or was too narrow for its text. Correct it.
line-amount-shortened = The spreadsheet program has shortened this amount. Format the column as a number with two decimals.
line-network-name = Write MTN, TELECEL or AIRTELTIGO.
line-renamed-network = “{ $written }” is read as { $network }
line-network = The network must be MTN, TELECEL or AIRTELTIGO.
line-amount = The amount must be more than 0, with at most 2 decimals.
line-amount-comma = The comma or point may begin decimals or group thousands. Write the amount with two decimals, such as 1234.50.
line-reference = The reference may have at most 64 characters.
line-note = The note may have at most 160 characters.
line-limit = It is more than one payout may be.
line-amount-range = It is outside what the operators pay out at once.
line-network-ended = This network has ended. Ask the recipient which network the number is with now.
line-no-operator = No operator takes payouts to this network now.
line-repeats-line = same amount and wallet as line { $line }
line-other-prefix = such numbers often belong to another network
recipient-registered = Registered to { $name }
recipient-agrees = Registered to { $name }, as in the file
recipient-differs = Registered to { $name }, which is not the name in the file
recipient-no-wallet = The operator knows no wallet with this number
recipient-unknown = The operator did not tell the registered name
recipient-not-asked = The name was not asked for: only those of the first 50 wallets are
recipients-doubtful = { $count ->
    [one] { $count } line needs a look: the registered name differs, or there is no wallet with the number.
   *[other] { $count } lines need a look: the registered name differs, or there is no wallet with the number.
}
recipients-not-offered = No operator tells the registered name of some of these wallets. Check the numbers with the recipients.
done-batch-begun = The batch was received. This page shows what becomes of each payout.
nav-batches = Pay many people
batches-help = Pay many people from one file: salaries, suppliers, prizes.
