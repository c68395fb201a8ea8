import type { Clock } from "../clock/clock.ts";
import type { ComputePool } from "../compute/compute-pool.ts";
import type { DiskSpace } from "../disk/disk-space.ts";
import type { MountedApi } from "../http/mount-api.ts";
import type { HttpApp } from "../http-app/create-http-app.ts";
import type { Ids } from "../ids/ids.ts";
import type { Logger } from "../log/logger.ts";
import type { LoopDefinition, LoopHealth } from "../loops/loop.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Gate } from "../scope/gate.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Database } from "../storage/database.ts";
import type { Quotas } from "./quotas.ts";

/** What the process gives each of its services. */
export interface ServiceHost {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Seals what must not be readable in the database. */
  readonly keyring: Keyring;
  /** Who may come in. */
  readonly gate: Gate;
  /** How much workspaces may make. */
  readonly quotas: Quotas;
  /** Of the disk that the server writes to. */
  readonly disk: DiskSpace;
  /** Runs computation that callers supply. */
  readonly compute: ComputePool;
  /** The version of the program. */
  readonly version: string;
  readonly loopHealth: () => readonly LoopHealth[];
  /** Whether requests reach this process; if not, it only does work in the background. */
  readonly takesRequests: boolean;
}

/** Something that whoever starts the process is told, such as a password that was made up. */
export interface StartNotice {
  readonly label: string;
  readonly text: string;
}

/** One of the things a process can serve: its addresses and its background work. */
export interface Service {
  readonly name: string;
  /**
   * What must be there before the first request: done at every start, so it does little where it
   * was done before.
   */
  readonly prepare?: () => Promise<void>;
  /**
   * What must be in a workspace before the first request to it: done when it is made and at every
   * start.
   */
  readonly prepareWorkspace?: (workspaceId: string) => Promise<void>;
  /** Asked for once, right after `prepare`. */
  readonly notices?: () => readonly StartNotice[];
  readonly mount: (app: HttpApp) => MountedApi;
  /** Adds what can be measured about it. */
  readonly observe?: (metrics: Metrics) => void;
  readonly loops: readonly LoopDefinition[];
}
