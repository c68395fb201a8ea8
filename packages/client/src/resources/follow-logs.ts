import type { Log, LogFilter, Static } from "@orchestrator/contract";
import { type ReconnectOptions, reconnecting } from "../sockets/reconnecting.ts";
import { createSeenIds } from "../sockets/seen-ids.ts";
import { bindResource } from "../transport/bind.ts";
import { each, extension } from "../transport/operation.ts";
import { sleepUnlessAborted } from "../transport/sleep.ts";

type Filter = Static<typeof LogFilter>;

export interface FollowLogsOptions extends ReconnectOptions {
  /** Whether the lines that are there come first. @default false */
  readonly backfill?: boolean | undefined;
  /**
   * Reads what comes first, where that is not all that is there; asked for once what follows is
   * heard.
   */
  readonly first?: (() => Promise<readonly Log[]>) | undefined;
}

/** Lines do not arrive in the order of their times. */
const OVERLAP_MS = 30_000;
/**
 * The server does not say when it has begun to listen; what is stored until then is read
 * afterwards.
 */
const SETTLE_MS = 300;

/**
 * Log lines as they are stored, each once. When the connection breaks it is made again, and what
 * was stored meanwhile is handed out first.
 */
export const followLogs = extension((transport) => {
  const stored = bindResource(transport, {
    each: each<(filter: object) => Log>("/logs/filter"),
  });

  return (
    filter: Filter = {},
    { backfill = false, first, ...options }: FollowLogsOptions = {},
  ): AsyncGenerator<Log, void, undefined> => {
    const { signal } = options;
    const seen = createSeenIds();
    let isFirst = true;
    let last = Date.now();

    const isNew = ({ id, timestamp }: Log): boolean => {
      last = Math.max(last, Date.parse(timestamp));
      return seen.isNew(id);
    };
    const missed = (): Filter => {
      const asked = filter.timestamp?.after_;
      const start = Math.max(last - OVERLAP_MS, asked ? Date.parse(asked) : 0);
      const timestamp = { ...filter.timestamp, after_: new Date(start).toISOString() };
      return { ...filter, timestamp };
    };

    return reconnecting(transport, "/logs/out", options, async function* (connection) {
      await connection.send({ type: "filter", filter });
      if (backfill || first || !isFirst) {
        await sleepUnlessAborted(SETTLE_MS, signal);
        const which = isFirst ? filter : missed();
        const lines =
          isFirst && first
            ? await first()
            : stored.each({ logs: which, sort: "TIMESTAMP_ASC" }, { signal });
        isFirst = false;
        for await (const line of lines) if (isNew(line)) yield line;
      }
      isFirst = false;
      for (;;) {
        const message = (await connection.receive()) as { readonly log: Log } | null;
        if (message === null) return;
        if (isNew(message.log)) yield message.log;
      }
    });
  };
});
