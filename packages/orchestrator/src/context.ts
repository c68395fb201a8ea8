import type { Hearing } from "@orchestrator/kernel/loops";
import type { Scope, ServiceHost } from "@orchestrator/kernel/scope";
import type { ApiDialect } from "./dialect.ts";
import type { EmptyPollCache } from "./polling/empty-poll-cache.ts";
import type { PollRecorder } from "./polling/poll-recorder.ts";
import type { SlotLines } from "./polling/slot-lines.ts";
import type { WaitingPolls } from "./polling/waiting-polls.ts";
import type { OrchestratorSettings } from "./settings.ts";

/**
 * What automations do with monitors. They belong to another service, which this one does not know:
 * whoever puts the program together hands its verbs over. What they do is part of the transaction
 * of the host's database.
 */
export interface MonitorCommands {
  readonly setEnabled: (
    host: CommandHost,
    scope: Scope,
    change: { readonly id: string; readonly enabled: boolean },
  ) => Promise<void>;
  /** The ids of the monitors of a name; at most two. */
  readonly findByName: (host: CommandHost, scope: Scope, name: string) => Promise<string[]>;
  /** Asks whichever process holds the monitor to check it now. */
  readonly requestCheck: (host: CommandHost, scope: Scope, id: string) => Promise<void>;
}

type CommandHost = Pick<ServiceHost, "db" | "clock" | "ids" | "keyring">;

/** What the service needs, built once at the start. A test builds its own. */
export interface OrchestratorContext extends ServiceHost {
  readonly dialect: ApiDialect;
  /** In which time somebody could be heard: asked before anybody's silence is judged. */
  readonly hearing: Hearing;
  readonly settings: OrchestratorSettings;
  /** The settings of the whole program for people to look at, secrets masked. */
  readonly settingsView: unknown;
  /** Null in a program that is made without monitors. */
  readonly monitors: MonitorCommands | null;
  /** Who was polled since it was last written down. */
  readonly polls: PollRecorder;
  /** Where nothing is due. */
  readonly quietPools: EmptyPollCache;
  /** Who waits for slots. */
  readonly slotLines: SlotLines;
  /** Who waits for work. */
  readonly waits: WaitingPolls;
}
