import type { Transaction } from "@orchestrator/kernel/storage";
import { listWindows, lockWindow, updateWindow } from "./maintenance.store.ts";
import { MAINTENANCE_TOPIC } from "./maintenance-calendar.ts";

/** A monitor that is gone is in no window any more. The caller holds its row. */
export async function removeFromWindows(tx: Transaction, monitorId: string): Promise<void> {
  for (const { id, monitor_ids } of await listWindows(tx)) {
    if (!monitor_ids.includes(monitorId)) continue;
    const held = await lockWindow(tx, id);
    if (held === null) continue;
    const ids = JSON.parse(held.monitor_ids) as readonly string[];
    const others = JSON.stringify(ids.filter((each) => each !== monitorId));
    await updateWindow(tx, { ...held, monitor_ids: others });
    tx.notify(MAINTENANCE_TOPIC);
  }
}
