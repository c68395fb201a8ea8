import { randomUUID } from "node:crypto";
import pg from "pg";
import { sleep } from "../../clock/clock.ts";
import type { Logger } from "../../log/logger.ts";
import { createWakeUps, type WakeUps } from "../wake-ups.ts";
import { type Connections, clientConfig } from "./postgres-pool.ts";
import { Presence } from "./presence.ts";

const CHANNEL = "orchestrator_nudges";
const RECONNECT_MS = 1000;
/**
 * Many commits, one call: a notification per transaction would make PostgreSQL commit one at a
 * time.
 */
const COALESCE_MS = 10;
/** A notification holds less than 8000 bytes; when the topics do not fit, all are called. */
const MAX_PAYLOAD_BYTES = 7900;
const ALL_TOPICS = "*";
/** In place of topics: somebody has come who will work with the database. */
const CALL = "+";
/** One that is alone and hangs is not waited for any longer. */
const JOIN_MS = 3000;

export interface RemoteWakeUps extends WakeUps {
  /**
   * Until the other processes know of this one, or cannot be told: before that nothing is to be
   * changed.
   */
  readonly joined: Promise<void>;
  /** Wakes the listeners here now and those of the other replicas shortly after. */
  readonly announce: (topics: Iterable<string>) => void;
  /** Sends what is still to be sent. */
  readonly stop: () => Promise<void>;
}

/** Nudges that cross processes by LISTEN/NOTIFY, outside any transaction of ours. */
export function startRemoteWakeUps(url: string, pool: Connections, log: Logger): RemoteWakeUps {
  const local = createWakeUps(log);
  const self = randomUUID();
  const stopping = new AbortController();
  const outgoing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const notify = (topics: string): [string, string[]] => [
    "select pg_notify($1, $2)",
    [CHANNEL, `${self} ${topics}`],
  ];
  const send = async (): Promise<void> => {
    timer = undefined;
    const topics = [...outgoing].join(" ");
    outgoing.clear();
    const fits = Buffer.byteLength(topics) < MAX_PAYLOAD_BYTES;
    await pool.query(...notify(fits ? topics : ALL_TOPICS)).catch(() => {
      // A lost call costs latency only: every listener also looks by itself from time to time.
    });
  };

  const hear = (payload: string): void => {
    const [sender, ...topics] = payload.split(" ");
    if (sender === self) return;
    // If it cannot give back what it holds, its connection is lost, and what it holds with it.
    if (topics[0] === CALL) presence?.heardCall().catch(() => {});
    else if (topics[0] === ALL_TOPICS) local.fireAll();
    else for (const topic of topics) local.fire(topic);
  };

  let presence: Presence | null = null;
  const isAlone = (): boolean => presence?.isAlone() ?? false;
  let hasJoined = (): void => {};
  const joined = new Promise<void>((resolve) => {
    hasJoined = resolve;
  });
  const patience = setTimeout(hasJoined, JOIN_MS);

  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const session = new pg.Client(clientConfig(url));
      const callOthers = () => session.query(...notify(CALL));
      const here = new Presence({ session, callOthers, onAlone: local.fireAll });
      presence = here;
      const begin = async (): Promise<void> => {
        local.fireAll();
        await here.join(stopping.signal);
        // Whoever was alone until now had nobody to tell.
        local.fireAll();
        hasJoined();
      };
      try {
        await listenUntilLost(session, { signal: stopping.signal, hear, begin });
      } catch {
        // The loop below connects again; requests meanwhile report what is wrong.
      }
      presence = null;
      hasJoined();
      await session.end().catch(() => {});
      await sleep(RECONNECT_MS, stopping.signal);
    }
  };
  const listening = listen().finally(() => clearTimeout(patience));

  return {
    ...local,
    joined,
    tellEveryChange: isAlone,
    confirmAlone: async () => (await presence?.confirmAlone().catch(() => false)) ?? false,
    announce(topics) {
      for (const topic of topics) {
        local.fire(topic);
        if (!isAlone()) outgoing.add(topic);
      }
      if (outgoing.size > 0) timer ??= setTimeout(() => void send(), COALESCE_MS);
    },
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      if (timer !== undefined) await send();
      await listening;
    },
  };
}

interface Listener {
  readonly signal: AbortSignal;
  readonly hear: (payload: string) => void;
  /** Called when everything that is said from now on will be heard. */
  readonly begin: () => Promise<void>;
}

async function listenUntilLost(
  client: pg.Client,
  { signal, hear, begin }: Listener,
): Promise<void> {
  let onLost = (): void => {};
  const lost = new Promise<void>((resolve) => {
    onLost = resolve;
  });
  client.on("error", onLost);
  client.on("end", onLost);
  signal.addEventListener("abort", onLost);
  client.on("notification", ({ payload }) => hear(payload ?? ""));
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await Promise.race([begin(), lost]);
    await lost;
  } finally {
    signal.removeEventListener("abort", onLost);
  }
}
