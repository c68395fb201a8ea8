import { AppError } from "../errors/app-error.ts";
import type { Database } from "../storage/database.ts";

/** A database that is away for the next write, and then is back. */
export function awayOnce(db: Database): Database {
  let isAway = true;
  const unlessAway = async <T>(write: () => Promise<T>): Promise<T> => {
    if (!isAway) return write();
    isAway = false;
    throw new AppError("unavailable", "The database is away");
  };
  return {
    ...db,
    write: (workspaceId, work) => unlessAway(() => db.write(workspaceId, work)),
    writeSystem: (work) => unlessAway(() => db.writeSystem(work)),
  };
}
