import { randomUUID } from "node:crypto";
import pg from "pg";
import { sleep } from "../../clock/clock.ts";
import type { Logger } from "../../log/logger.ts";
import { createNudges, type Nudges } from "../nudges.ts";
import { type Connections, clientConfig } from "./postgres-pool.ts";

const CHANNEL = "orchestrator_nudges";
const RECONNECT_MS = 1000;
/** Many commits, one call: a notification per transaction would make PostgreSQL commit one at a time. */
const COALESCE_MS = 10;
/** A notification holds less than 8000 bytes; when the topics do not fit, all are called. */
const MAX_PAYLOAD_BYTES = 7900;
const ALL_TOPICS = "*";

export interface RemoteNudges extends Nudges {
  /** Wakes the listeners here now and those of the other replicas shortly after. */
  readonly announce: (topics: Iterable<string>) => void;
  /** Sends what is still to be sent. */
  readonly stop: () => Promise<void>;
}

/** Nudges that cross processes by LISTEN/NOTIFY, outside any transaction of ours. */
export function startRemoteNudges(url: string, pool: Connections, log: Logger): RemoteNudges {
  const local = createNudges(log);
  const self = randomUUID();
  const stopping = new AbortController();
  const outgoing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const send = async (): Promise<void> => {
    timer = undefined;
    const topics = [...outgoing].join(" ");
    const payload = `${self} ${Buffer.byteLength(topics) < MAX_PAYLOAD_BYTES ? topics : ALL_TOPICS}`;
    outgoing.clear();
    await pool.query("select pg_notify($1, $2)", [CHANNEL, payload]).catch(() => {
      // A lost call costs latency only: every listener also looks by itself from time to time.
    });
  };

  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client(clientConfig(url));
      try {
        await listenUntilLost(
          client,
          stopping.signal,
          (payload) => {
            const [sender, ...topics] = payload.split(" ");
            if (sender === self) return;
            if (topics[0] === ALL_TOPICS) local.fireAll();
            else for (const topic of topics) local.fire(topic);
          },
          local.fireAll,
        );
      } catch {
        // The loop below connects again; requests meanwhile report what is wrong.
      }
      await client.end().catch(() => {});
      await sleep(RECONNECT_MS, stopping.signal);
    }
  };
  const listening = listen();

  return {
    ...local,
    announce(topics) {
      for (const topic of topics) {
        local.fire(topic);
        outgoing.add(topic);
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

async function listenUntilLost(
  client: pg.Client,
  signal: AbortSignal,
  onPayload: (payload: string) => void,
  onConnected: () => void,
): Promise<void> {
  let onLost = (): void => {};
  const lost = new Promise<void>((resolve) => {
    onLost = resolve;
  });
  client.on("error", onLost);
  client.on("end", onLost);
  signal.addEventListener("abort", onLost);
  client.on("notification", ({ payload }) => onPayload(payload ?? ""));
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    onConnected();
    await lost;
  } finally {
    signal.removeEventListener("abort", onLost);
  }
}
