// The line between this process and one server: who is asked, and what waits to be told.

import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { OrchestratorClient } from "@orchestrator/client";
import type { ExecutorEvent, LogCreate } from "@orchestrator/contract";
import { errorSummary } from "../errors.ts";
import { newId } from "../ids.ts";
import { readSettings, type SdkSettings } from "../settings.ts";
import { type Alarm, runEvery } from "../time.ts";
import { connectToServer, isLapsedClaim, isTransientError } from "./connection.ts";
import { sizeOfEvent } from "./event-size.ts";
import { Outbox } from "./outbox.ts";
import { Spill } from "./spill.ts";
import {
  deliverStoredReports,
  storeUndeliveredState,
  type UndeliveredState,
} from "./undelivered.ts";

/** Long enough that a burst travels together, short enough that people see it happen. */
const EVENTS_LINGER_MS = 100;
const LOGS_LINGER_MS = 500;
const LEFT_AGAIN_MS = 30_000;
const LOG_BYTES = 250;

/** With an id, so that the server keeps it once however often it is sent. */
export type ShippedLogLine = LogCreate & { readonly id: string };

export interface ReportSession {
  readonly client: OrchestratorClient;
  readonly url: string;
  readonly settings: SdkSettings;
  readonly events: Pick<Outbox<ExecutorEvent>, "push" | "deliver" | "flush" | "close">;
  readonly logs: Pick<Outbox<ShippedLogLine>, "push" | "flush" | "close">;
  /**
   * Keeps the end of a run that the server cannot be told of now; this process goes on trying, and
   * so will others.
   */
  readonly leave: (state: UndeliveredState) => void;
  /** Delivers what processes that have ended left behind. */
  readonly deliverLeft: () => Promise<void>;
  /** Delivers what waits; says whether all of it arrived in time. */
  readonly flush: (withinMs: number) => Promise<boolean>;
  /** What is called in the place of a task's function; only in tests. */
  readonly bodyOf?: (task: TaskBody) => TaskBody["body"];
}

interface TaskBody {
  readonly name: string;
  readonly body: (...args: readonly unknown[]) => unknown;
}

const replacements = new AsyncLocalStorage<ReportSession>();

/** Does the work, and all that follows from it, with a session of its own. */
export function withSession<Value>(session: ReportSession, work: () => Value): Value {
  return replacements.run(session, work);
}

const sessions = new Map<string, ReportSession>();

/** One for each server, for as long as the process lives. */
export function openSession(): ReportSession {
  const replacement = replacements.getStore();
  if (replacement !== undefined) return replacement;
  const settings = readSettings();
  const { client, url, identity } = connectToServer();
  const known = sessions.get(`${identity} ${settings.home}`);
  if (known !== undefined) return known;
  const session = createSession({ client, url, settings });
  if (sessions.size === 0) process.once("exit", closeSessions);
  sessions.set(`${identity} ${settings.home}`, session);
  return session;
}

/** The same; null where nothing is reported, as under a test runner. */
export function openReportSession(): ReportSession | null {
  return readSettings().isReporting || replacements.getStore() !== undefined ? openSession() : null;
}

function closeSessions(): void {
  for (const { events, logs } of sessions.values()) {
    events.close();
    logs.close();
  }
}

function createSession({
  client,
  url,
  settings,
}: Pick<ReportSession, "client" | "url" | "settings">): ReportSession {
  const folder = join(settings.home, "undelivered", folderName(url));
  const file = (kind: string): Spill =>
    new Spill(join(folder, `${process.pid}-${newId()}.${kind}`));
  const events = new Outbox<ExecutorEvent>({
    send: (batch) => client.events.create(batch, { retries: 0 }),
    sizeOf: sizeOfEvent,
    isWorthRetrying: isTransientError,
    spill: file("events"),
    lingerMs: EVENTS_LINGER_MS,
    onRefused: complain("An event"),
  });
  const logs = new Outbox<ShippedLogLine>({
    send: (batch) => client.logs.create(batch, { retries: 0 }),
    sizeOf: ({ message }) => LOG_BYTES + message.length,
    isWorthRetrying: isTransientError,
    spill: file("logs"),
    lingerMs: LOGS_LINGER_MS,
    onRefused: complain("A log line"),
  });
  const deliverLeft = (): Promise<void> => deliverStoredReports({ client, folder });
  const tryAgain = (): void => void deliverLeft();
  let trying: Alarm | null = null;
  tryAgain();
  return {
    client,
    url,
    settings,
    events,
    logs,
    deliverLeft,
    leave(state) {
      storeUndeliveredState(folder, state);
      trying ??= runEvery(LEFT_AGAIN_MS, tryAgain);
    },
    async flush(withinMs) {
      const flushed = await Promise.all([events.flush(withinMs), logs.flush(withinMs)]);
      return flushed.every(Boolean);
    },
  };
}

const complain =
  (what: string) =>
  (_: object, error: unknown): void => {
    // Its executor hears that the run was offered to others.
    if (isLapsedClaim(error)) return;
    const reason = errorSummary(error);
    process.stderr.write(
      `orchestrator: ${what} was refused by the server and is lost: ${reason}\n`,
    );
  };

/** Each server has a folder of its own: what is meant for one must not go to another. */
function folderName(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 16);
}
