import { randomUUID } from "node:crypto";
import pg from "pg";
import { sleep } from "../../clock/clock.ts";
import { createNudges, type Nudges } from "../nudges.ts";
import { clientConfig } from "./postgres-pool.ts";

const CHANNEL = "orchestrator_nudges";
const RECONNECT_MS = 1000;
/** Many commits, one call: a notification per transaction would make PostgreSQL commit one at a time. */
const COALESCE_MS = 10;

export interface RemoteNudges extends Nudges {
  /** Wakes the listeners here now and those of the other replicas shortly after. */
  readonly announce: (topics: Iterable<string>) => void;
  readonly stop: () => Promise<void>;
}

/** Nudges that cross processes by LISTEN/NOTIFY, outside any transaction of ours. */
export function startRemoteNudges(url: string, pool: pg.Pool): RemoteNudges {
  const local = createNudges();
  const self = randomUUID();
  const stopping = new AbortController();
  const outgoing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    const payload = `${self} ${[...outgoing].join(" ")}`;
    outgoing.clear();
    pool.query("select pg_notify($1, $2)", [CHANNEL, payload]).catch(() => {
      // A lost call costs latency only: every listener also looks by itself from time to time.
    });
  };

  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client(clientConfig(url));
      try {
        await listenUntilLost(client, stopping.signal, (payload) => {
          const [sender, ...topics] = payload.split(" ");
          if (sender === self) return;
          for (const topic of topics) local.fire(topic);
        }, local.fireAll);
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
      if (outgoing.size > 0) timer ??= setTimeout(send, COALESCE_MS);
    },
    async stop() {
      clearTimeout(timer);
      stopping.abort();
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
  const lost = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  client.on("notification", ({ payload }) => onPayload(payload ?? ""));
  await client.connect();
  await client.query(`listen ${CHANNEL}`);
  onConnected();
  await lost;
}
