// How many runs of deployments may be offered: as many as there are places in the queues and pools
// they are in.

/** What is left in the queue and in the pool of a deployment; null where there is no limit. */
export interface Room {
  readonly queueId: string;
  readonly poolId: string;
  readonly inQueue: number | null;
  readonly inPool: number | null;
}

/** Deployment → its room. One that is missing here has no limit. */
export type Rooms = ReadonlyMap<string, Room>;

interface OfDeployment {
  readonly deployment_id: string;
  readonly work_queue_id: string | null;
}

/**
 * Those of the runs, in their order, for which there is a place left besides those that `before`
 * will take.
 */
export function withinRoom<Run extends OfDeployment>(
  rooms: Rooms,
  runs: readonly Run[],
  before: readonly OfDeployment[],
): readonly Run[] {
  if (rooms.size === 0) return runs;
  const taken = new Map<string, number>();
  const takes = ({ deployment_id, work_queue_id }: OfDeployment): boolean => {
    const room = rooms.get(deployment_id);
    if (room === undefined) return true;
    const [inQueue, inPool] = [taken.get(room.queueId) ?? 0, taken.get(room.poolId) ?? 0];
    if (room.inPool !== null && inPool >= room.inPool) return false;
    // A run may have been sent to another queue of the pool; who claims it hears whether there is a
    // place in that.
    const isInQueue = work_queue_id === room.queueId;
    if (isInQueue && room.inQueue !== null && inQueue >= room.inQueue) return false;
    if (isInQueue) taken.set(room.queueId, inQueue + 1);
    taken.set(room.poolId, inPool + 1);
    return true;
  };
  for (const run of before) takes(run);
  return runs.filter(takes);
}
