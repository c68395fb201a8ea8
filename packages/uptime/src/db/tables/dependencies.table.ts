/** A monitor that cannot be reached when another, its parent, is down. */
export interface ParentRow {
  readonly monitor_id: string;
  readonly parent_id: string;
}

/** Counts the changes of the dependencies of a workspace; its row is what they wait for. */
export interface DependencyChangesRow {
  readonly count: number;
}

/** A parent of a monitor, near or far. */
export interface Ancestor extends DownParent {
  readonly child: string;
  readonly enabled: boolean;
  readonly confirmed_status: string | null;
}

/** A parent, near or far, that is confirmed to be down. */
export interface DownParent {
  readonly id: string;
  readonly name: string;
}
