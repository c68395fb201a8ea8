import { Event } from "@orchestrator/contract";
import { type ApiInstance, createReader, type NewEvent, socketRoute } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET } from "../../sockets.ts";
import { isProblem, receiveEvent } from "./events.rules.ts";
import { storeEvents } from "./events.service.ts";

const BATCH = 200;

/**
 * One event per message. Senders take the answer to a ping as the sign that what they sent before is stored, so it
 * is given only then; and nothing more is read while the database is behind.
 */
export function eventsInSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const reader = createReader(Event);

  const receive = (message: Buffer): NewEvent[] => {
    const reading = reader.read(message);
    if ("problem" in reading) {
      ctx.log.debug({ problem: reading.problem }, "An event was dropped: it is not well-formed");
      return [];
    }
    const received = receiveEvent(reading.value, ctx.clock.now());
    if (!isProblem(received)) return [received];
    ctx.log.debug({ problem: received.message }, "An event was dropped: it is not complete");
    return [];
  };

  const options = { ...API_SOCKET, confirmsByPong: true };
  socketRoute(api, "/events/in", options, async (socket, { scope }) => {
    for (;;) {
      const messages = await socket.receiveMany(BATCH);
      if (messages === null) return;
      await storeEvents(ctx, scope, messages.flatMap(receive));
    }
  });
}
