-- Finds who asked for a payout or refund. Pages read it for each one that waits.
CREATE INDEX audit_log_requests ON audit_log (subject, seq) WHERE action IN ('payout.requested', 'refund.requested');
