// What several places show of pools and queues.
import type { JSX } from "react";
import { Empty } from "../../ui/surface.tsx";

export function NoPools(): JSX.Element {
  return (
    <Empty
      icon="pool"
      title="No work pools yet"
      command="orchestrator work-pool create default --type process"
    >
      <p>Deployments send their runs to a work pool; workers poll it and execute them.</p>
    </Empty>
  );
}

/** How much of what a pool or a queue may run at once is running. */
export function InUse({
  of: { active_slots, concurrency_limit },
}: {
  readonly of: {
    readonly active_slots?: number | null | undefined;
    readonly concurrency_limit: number | null;
  };
}): JSX.Element {
  return (
    <span className="num nowrap">
      {concurrency_limit === null ? "no limit" : `${active_slots ?? 0} of ${concurrency_limit}`}
    </span>
  );
}
