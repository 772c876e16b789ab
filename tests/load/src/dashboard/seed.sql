-- A year of one account in test mode, from the row of `parameters`. Every value follows from the number of its row, so each
-- run makes the same rows. Indexes are made again afterwards: that is many times as fast as to keep them.

CREATE TEMP TABLE numbers AS
WITH RECURSIVE
    digits (d) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)),
    thousands (t) AS (SELECT a.d + 10 * b.d + 100 * c.d FROM digits a, digits b, digits c)
SELECT m.t * 1000000 + k.t * 1000 + o.t + 1 AS n
FROM thousands m, thousands k, thousands o
WHERE m.t <= (SELECT transactions / 1000000 FROM parameters)
  AND m.t * 1000000 + k.t * 1000 + o.t < (SELECT transactions FROM parameters)
ORDER BY n;

-- `r` is a number below a million that looks random, `s` another one.
CREATE TEMP VIEW drawn AS
SELECT n, now - (transactions - n) * 31536000000 / transactions AS at,
       (n * 2654435761 % 4294967296) / 4096 % 1000000 AS r, (n * 2246822519 % 4294967296) / 4096 % 1000000 AS s,
       n / 100 % 20 + 1 AS j, account, key, now, transactions
FROM numbers, parameters;

CREATE TEMP VIEW rows AS
SELECT *, printf('txn_%012x7%03x8%015x', at, n % 4096, n * 40503000001 % 1000000000000000) AS id,
       -- The transaction before it.
       printf('txn_%012x7%03x8%015x', now - (transactions - n + 1) * 31536000000 / transactions, (n - 1) % 4096,
              (n - 1) * 40503000001 % 1000000000000000) AS before,
       -- 8 % payouts, 2 % refunds; 15 % fail, and the newest hour has some that are pending.
       CASE WHEN n % 50 = 7 THEN 'REFUND' WHEN s / 1000 % 100 < 8 THEN 'PAYOUT' ELSE 'CHARGE' END AS type,
       CASE WHEN n % 50 = 7 THEN 'SUCCESSFUL' WHEN n > transactions - 400 THEN 'PENDING'
            WHEN s % 100 < 15 THEN 'FAILED' ELSE 'SUCCESSFUL' END AS status,
       CASE WHEN r % 1000 < 700 THEN 'MTN' WHEN r % 1000 < 920 THEN 'TELECEL' ELSE 'AIRTELTIGO' END AS network
FROM drawn;

INSERT INTO transactions (id, account_id, mode, kind, amount, network, phone, reference, email, status, next_action,
    failure, code_attempts, version, created_at, updated_at, handed_over_at, key_id, needs_approval, approval_due,
    acknowledged_at, ask_at, review_at, delayed_at, operator_transaction_id, refund_of, refund_method, link_id)
SELECT id, account, 'test', CASE type WHEN 'REFUND' THEN 'PAYOUT' ELSE type END,
    -- Seven of ten are whole cedis up to 200, the others any sum up to 500. One is like no other.
    CASE WHEN n = transactions / 2 THEN 7654321 WHEN s % 10 < 7 THEN 100 * (1 + s / 10 % 200) ELSE 100 + s / 10 % 49900 END,
    network,
    CASE network WHEN 'MTN' THEN '024' WHEN 'TELECEL' THEN '020' ELSE '027' END || printf('%07d', 1000000 + r % 300000),
    CASE WHEN n % 100 = 3 AND type = 'CHARGE' THEN 'link-' || j ELSE 'order-' || n END,
    CASE WHEN s % 10 < 3 THEN 'payer' || s || '@example.com' END,
    status,
    CASE WHEN status <> 'PENDING' THEN 'NONE' WHEN n % 10 = 4 AND type = 'PAYOUT' THEN 'APPROVE_IN_DASHBOARD' ELSE 'WAIT' END,
    CASE WHEN status = 'FAILED' THEN CASE s / 100 % 20 WHEN 0 THEN 'network_unavailable' WHEN 1 THEN 'payer_limit'
        WHEN 2 THEN 'wrong_pin' WHEN 3 THEN 'payer_not_found' WHEN 4 THEN 'customer_rejected' WHEN 5 THEN 'customer_rejected'
        WHEN 6 THEN 'approval_timeout' WHEN 7 THEN 'approval_timeout' WHEN 8 THEN 'approval_timeout' ELSE 'insufficient_funds' END END,
    0, 2, at, at + 9000,
    CASE WHEN status = 'PENDING' AND n % 10 = 4 AND type = 'PAYOUT' THEN NULL ELSE at END,
    CASE WHEN type = 'PAYOUT' THEN key END,
    status = 'PENDING' AND n % 10 = 4 AND type = 'PAYOUT',
    CASE WHEN status = 'PENDING' AND n % 10 = 4 AND type = 'PAYOUT' THEN at + 604800000 END,
    CASE WHEN status <> 'PENDING' OR n % 10 <> 4 THEN at + 500 END,
    -- A year later: the measurement asks no operator.
    CASE WHEN status = 'PENDING' AND NOT (n % 10 = 4 AND type = 'PAYOUT') THEN at + 31536000000 END,
    CASE WHEN status = 'PENDING' AND n % 10 = 1 THEN at END,
    CASE WHEN status = 'PENDING' THEN at END,
    CASE WHEN status = 'SUCCESSFUL' THEN printf('%011d', 30000000000 + n) END,
    CASE WHEN type = 'REFUND' THEN before END,
    CASE WHEN type = 'REFUND' THEN 'NATIVE' END,
    -- The newest twenty links took a hundredth of the charges.
    CASE WHEN n % 100 = 3 AND type = 'CHARGE' THEN printf('lnk_%012x7%03x8%015x', now - j * 60000, j % 4096, j) END
FROM rows;

-- The events of the newest million, and what they posted. No list reads them.
INSERT INTO transaction_events (transaction_id, version, at, event)
SELECT id, version, at, CASE version WHEN 1 THEN json_object('kind', 'begun', 'id', id, 'account', account_id, 'mode', mode,
        'transaction_kind', kind, 'amount_pesewas', amount, 'network', network, 'phone', phone, 'reference', reference,
        'checkout', NULL, 'email', email, 'metadata', NULL, 'payer_message', NULL, 'payee_note', NULL,
        'handed_over', json('true'), 'key', key_id, 'needs_approval', json('false'))
    ELSE json_object('kind', 'moved', 'status', status, 'next_action', NULL, 'failure', failure) END
FROM (SELECT *, 1 AS version, created_at AS at FROM (SELECT id, account_id, mode, kind, amount, network, phone, reference, email, key_id, status, failure, created_at, updated_at FROM transactions ORDER BY rowid DESC LIMIT 1000000)
      UNION ALL
      SELECT *, 2, updated_at FROM (SELECT id, account_id, mode, kind, amount, network, phone, reference, email, key_id, status, failure, created_at, updated_at FROM transactions ORDER BY rowid DESC LIMIT 1000000) WHERE status <> 'PENDING');

INSERT INTO ledger_entries (transaction_id, version, at, account_id, mode, operator_float, in_transit, fees, merchant, refunds, suspense)
SELECT id, 2, updated_at, account_id, mode, CASE kind WHEN 'CHARGE' THEN amount ELSE -amount END, 0, 0,
       CASE kind WHEN 'CHARGE' THEN -amount ELSE amount END, 0, 0
FROM (SELECT * FROM transactions ORDER BY rowid DESC LIMIT 1000000) WHERE status = 'SUCCESSFUL';

-- 2,000 checkout sessions that are open and 100,000 that ended unpaid.
INSERT INTO checkouts (id, account_id, mode, seed, token_digest, amount, reference, email, created_at, expires_at, expiry_due, unused_since)
SELECT printf('chk_%012x7%03x8%015x', now - n * 1000, n % 4096, n), account, 'test', randomblob(16), randomblob(32), 1000 + n % 5000,
       'basket-' || n, 'payer' || n || '@example.com', now - n * 1000,
       CASE WHEN n <= 2000 THEN now + 86400000 ELSE now - n * 500 END, CASE WHEN n <= 2000 THEN now + 86400000 END,
       CASE WHEN n > 2000 THEN now + 31536000000 END
FROM numbers, parameters WHERE n <= 102000;

-- 2,000 payment links.
INSERT INTO payment_links (id, account_id, mode, code, title, amount, uses, reference, created_at)
SELECT printf('lnk_%012x7%03x8%015x', now - n * 60000, n % 4096, n), account, 'test', replace(replace(printf('%08d', n), '0', 'A'), '1', 'B'), 'Link ' || n,
       CASE WHEN n % 2 = 0 THEN 1000 + n END, 'many', 'link-' || n, now - n * 60000
FROM numbers, parameters WHERE n <= 2000;

-- 300,000 webhook deliveries, of which 1 % failed, and 100,000 entries of the audit log, which no key has sealed.
INSERT INTO webhook_deliveries (id, endpoint_id, webhook_id, type, subject, version, occurred_at, status, attempts, attempted_at, http_status)
SELECT printf('whd_%012x7%03x8%015x', at, n % 4096, n), endpoint, printf('msg_%012x7%03x8%015x', at, n % 4096, n),
       CASE rows.status WHEN 'FAILED' THEN 'charge.failed' ELSE 'charge.successful' END, id, 2, at,
       CASE WHEN n % 100 = 0 THEN 'FAILED' ELSE 'DELIVERED' END, 1, at, CASE WHEN n % 100 = 0 THEN 500 ELSE 200 END
FROM rows, parameters p WHERE n > p.transactions - 300000;

INSERT INTO audit_log (seq, at, actor, source, action, subject, after, key_version, mac)
SELECT head.seq + n, now - 100000 + n, 'owner@example.com (127.0.0.1)', 'dashboard', 'link.created', 'lnk_' || n,
       json_object('accountId', account), 1, zeroblob(32)
FROM numbers, parameters, audit_head AS head WHERE n <= 100000;
UPDATE audit_head SET seq = (SELECT max(seq) FROM audit_log);

-- The owner's session, which lasts as long as the measurement.
INSERT INTO dashboard_sessions (id, user_id, digest, device, created_at, seen_at, proven_at)
SELECT 'ses_bench', user, session, 'Firefox on Linux', now, now + 36000000, now FROM parameters;
