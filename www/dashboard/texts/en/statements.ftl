nav-statements = Statements
statements-help = Each line of an operator’s statement is compared with its payment. What does not agree is listed.
statements-none = No statement was imported yet.
statements-older = Older statements
statements-imported = Imported
statements-operator = Operator
statements-days = Days
statements-lines = Lines
statements-line = Line
statements-agreeing = Agree
statements-differing = Lines that differ
statements-missing = Payments without a line
statements-compare = compare
statements-compare-days = Compare a month
statements-compare-help = All imported lines of these days, at most 31, with all payments of these days, both ways.
statements-compare-button = Compare
statements-bad-period = Choose a first and a last day, at most 31 days.
period-title = { $operator }, { $from } to { $to }
statements-abandoned = The import was cut off, and somebody has given it up. For the lines that it lacks, import another file of the same days.
statements-cut-off = The import was cut off. Import the same file again: it continues.
statements-import = Import a statement
statements-file = File
statements-sheet = Sheet of a workbook, if several have rows
statements-file-help = A workbook (.xlsx) or CSV with the columns that the settings name, at most 16 MiB. Nothing is stored if a line has a fault, and the same file twice changes nothing.
statements-no-operator = No operator’s statements can be shown here: you must have this role in every shop that uses the operator.
statements-choose-operator = Choose an operator.
statements-choose-file = Choose a file.
statements-bad-file = The file cannot be read as a statement. Nothing was stored.
statements-bad-lines = Lines of the file have faults. Nothing was stored.
statements-more-faults = { $count ->
    [one] { $count } more line has a fault.
   *[other] { $count } more lines have faults.
}
statements-fetch = Fetch a statement
statements-fetch-help = From operators whose API has statements. It may take half a minute. Nothing is stored if a line has a fault, and the same days twice change nothing.
statements-from = First day
statements-to = Last day
statements-choose-days = Choose the first and the last day.
statements-days-reversed = The first day must not be after the last one.
statements-days-too-long = A statement has at most 31 days. Fetch a longer period in parts.
statements-days-not-begun = The last day must not be after today.
statements-not-offered = The API of this operator has no statements. Download the file from its portal, and import it.
statements-not-fetched = The operator did not deliver a statement. Nothing was stored. Try again later.
done-statement-imported = The statement is imported. The operator is asked about pending payments that it names.
done-statement-repeated = This file was imported before. Nothing changed.
done-statement-days-changed = This file was imported before. The days that the statement covers have changed.
statement-title = Statement of { $operator }
statement-agrees = Every line agrees, and every successful payment from { $from } to { $to } has a line.
statement-nothing = There is nothing to compare: no line is of the days from { $from } to { $to }, and no successful payment of them lacks one.
statement-lines-agree = Every line agrees.
statement-missing = { $count ->
    [one] { $count } successful payment from { $from } to { $to } has no line.
   *[other] { $count } successful payments from { $from } to { $to } have no line.
}
statement-missing-help = A file that was made before the last payments of its days lacks them, and a payment around midnight may be in the file of the next day. A newer file adds the lines that are missing. Lines that are stored stay as they are.
statement-fetch-again = Fetch these days again
statement-import-newer = Import a newer file
statement-none-missing = Every successful payment from { $from } to { $to } has a line.
statement-not-compared = The payments were not looked for in the statement, because no line says which days it covers.
statement-differs = { $count ->
    [one] { $count } line does not agree.
   *[other] { $count } lines do not agree.
}
statement-all = Show all
statement-outcome = Outcome
statement-operators-id = Operator’s id
statement-payment = Payment
statement-theirs = Statement (GH₵)
statement-ours = Tua (GH₵)
statement-sums = What does not agree, with sums
statement-count = Number
statement-difference = Difference (GH₵)
statement-fees = (the fees)
statement-fee = Fee
statement-cut = The table has the first 1,000 lines that do not agree. The file has all of them.
statement-download = Download the differences as CSV
statement-back = All statements
outcome-matched = Agrees
outcome-missing-at-the-operator = Missing at the operator
outcome-missing-with-us = No successful payment here
outcome-amount-differs = Amount differs
outcome-fee-differs = Fee differs
outcome-duplicate = Duplicate
outcome-reversed = Returned by the operator
statement-late = { $count ->
    [one] { $count } of a closed day, posted to the open day
   *[other] { $count } of closed days, posted to the open day
}
