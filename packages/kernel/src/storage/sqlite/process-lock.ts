import { AppError, isAppError } from "../../errors/app-error.ts";
import { keepToOwner } from "./owner-only.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { isBusy } from "./sqlite-errors.ts";

/**
 * Keeps a database file to one server process. The lock is an open transaction on a file beside it,
 * so the operating system drops it with the process, however that ends.
 */
export function lockForThisProcess(databaseFile: string): { readonly release: () => void } {
  const file = `${databaseFile}.lock`;
  keepToOwner(file);
  const connection = new SqliteConnection(file, { busy_timeout: 0 });
  try {
    connection.execute("begin exclusive");
  } catch (error) {
    connection.close();
    if (!isAppError(error, "unavailable") || !isBusy(error)) throw error;
    throw new AppError("locked", `Another server is using ${databaseFile}`, { cause: error });
  }
  return { release: () => connection.close() };
}
