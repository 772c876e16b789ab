import type { TransactionalConnection } from "@vendure/core";
import type { FindManyOptions } from "typeorm";

/** Whether the database locks rows. SQLite does not: all transactions of a process share its one connection. */
export function hasRowLocks(connection: TransactionalConnection): boolean {
  return !/sqlite|sqljs/.test(connection.rawConnection.options.type);
}

/** The option of a query that locks the rows which it finds until the transaction ends, where the database has such locks. */
export function lockOf(connection: TransactionalConnection): Pick<FindManyOptions, "lock"> {
  return hasRowLocks(connection) ? { lock: { mode: "pessimistic_write" } } : {};
}
