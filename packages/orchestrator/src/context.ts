import type { ServiceHost } from "@orchestrator/kernel";
import type { ApiDialect } from "./dialect.ts";
import type { PollRecorder } from "./features/work-pools/poll-recorder.ts";
import type { WaitingPolls } from "./features/work-pools/waiting-polls.ts";
import type { OrchestratorSettings } from "./settings.ts";

/** What the service needs, built once at the start. A test builds its own. */
export interface OrchestratorContext extends ServiceHost {
  readonly dialect: ApiDialect;
  readonly settings: OrchestratorSettings;
  /** The settings of the whole program for people to look at, secrets masked. */
  readonly settingsView: unknown;
  /** Who was polled since it was last written down. */
  readonly polls: PollRecorder;
  /** Who waits for work. */
  readonly waits: WaitingPolls;
}
