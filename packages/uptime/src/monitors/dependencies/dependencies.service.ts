import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { Transaction } from "@orchestrator/kernel/storage";
import { countMonitors } from "../monitors.store.ts";
import {
  isInCircle,
  listParents,
  lockDependencies,
  removeParent,
  replaceParents,
} from "./dependencies.store.ts";

/** Makes the given monitors the parents of one; tells whether that changed anything. */
export async function followParents(
  tx: Transaction,
  monitorId: string,
  parents: readonly string[],
): Promise<boolean> {
  await lockDependencies(tx);
  const before = await listParents(tx, monitorId);
  const after = [...new Set(parents)].sort();
  if (before.join() === after.join()) return false;
  if (after.includes(monitorId)) throw refused("a monitor cannot be its own parent");
  if (after.length > 0 && (await countMonitors(tx, after)) < after.length)
    throw refused("there is no such monitor for every id");
  await replaceParents(tx, monitorId, after);
  if (await isInCircle(tx, monitorId))
    throw refused("the monitor would depend on itself: one of these depends on it already");
  return true;
}

/** A monitor that is gone is nobody's parent and nobody's child. */
export async function deleteDependencies(tx: Transaction, monitorId: string): Promise<void> {
  await lockDependencies(tx);
  await removeParent(tx, monitorId);
  await replaceParents(tx, monitorId, []);
}

function refused(msg: string): InvalidRequestError {
  return new InvalidRequestError([
    { type: "value_error", loc: ["body", "parents"], msg: `Value error, ${msg}` },
  ]);
}
