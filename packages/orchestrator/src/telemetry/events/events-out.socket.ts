import { type EventFilter, EventSubscription } from "@orchestrator/contract";
import { createLogFeed, findPosition, type LoggedEvent } from "@orchestrator/kernel/events";
import { type ApiInstance, CLOSE, createReader, socketRoute } from "@orchestrator/kernel/http";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET, ignoreRest, receiveWish } from "../../sockets.ts";
import { eventMatcher } from "./event-match.rules.ts";

const MINUTE_MICROS = 60 * 1_000_000;
/** How far back a listener is told what it missed. */
const BACKFILL_MICROS = 15 * MINUTE_MICROS;
/** How far a sender's clock may be ahead of ours. */
const SKEW_MICROS = MINUTE_MICROS;
const NO_FILTER = { code: CLOSE.protocolError, missing: "No filter came in time" };

/**
 * Events as they come, after those of the last minutes; all of them from the log, in its order,
 * each once.
 */
export function eventsOutSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const subscription = createReader(EventSubscription, { stripNul: false });
  const feed = createLogFeed(ctx.db, ctx);
  api.addHook("onClose", () => feed.stop());

  const startOf = ({ occurred }: EventFilter): Promise<number> => {
    const earliest = ctx.clock.nowMicros() - BACKFILL_MICROS;
    const since = occurred?.since ?? occurred?.since_;
    const wanted = since ? Math.max(parseMicros(since), earliest) : earliest;
    return findPosition(ctx.db, formatMicros(wanted - SKEW_MICROS));
  };

  socketRoute(api, "/events/out", API_SOCKET, async (socket, { scope }) => {
    const wish = await receiveWish(socket, subscription, NO_FILTER);
    if (wish === null) return;
    const { filter, backfill } = wish;
    const matches = eventMatcher(filter);
    const wanted = (events: readonly LoggedEvent[]): string[] =>
      events
        .filter((event) => event.workspace_id === scope.workspaceId && matches(event))
        .map(({ body }) => `{"type":"event","event":${body}}`);
    const following = feed.follow({
      after: backfill === false ? null : await startOf(filter),
      signal: socket.signal,
      deliver: async (events) => {
        for (const text of wanted(events)) await socket.send(text);
      },
      // Nobody waits for this one: if it does not read, it is let go.
      push: (events) => {
        for (const text of wanted(events)) void socket.send(text);
      },
    });
    await Promise.all([following, ignoreRest(socket)]);
  });
}
