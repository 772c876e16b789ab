-- The newest orders are found by their references, which begin with the time of the transaction.
DROP INDEX sandbox_orders_by_time;
