import { Event } from "@orchestrator/contract";
import type { AppendedEvent } from "@orchestrator/kernel/events";
import { type ApiInstance, CLOSE, createReader, socketRoute } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET } from "../../sockets.ts";
import { isProblem, receiveEvent } from "./events.rules.ts";
import { storeEvents } from "./events.service.ts";
import { isTaskRunEvent } from "./task-run-event.rules.ts";

const BATCH = 200;

interface Dropped {
  readonly problem: string;
  readonly why: string;
}

/**
 * One event per message. Senders take the answer to a ping as the sign that what they sent before
 * is stored, so it is given only then; and nothing more is read while the database is behind.
 */
export function eventsInSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const reader = createReader(Event);

  const receive = (message: Buffer): AppendedEvent | Dropped => {
    const reading = reader.read(message);
    if ("problem" in reading) return { problem: reading.problem, why: "it is not well-formed" };
    const received = receiveEvent(reading.value, ctx.clock.now());
    if (!isProblem(received)) return received;
    return { problem: received.message, why: "it is not acceptable" };
  };

  const options = { ...API_SOCKET, confirmsByPong: true };
  socketRoute(api, "/events/in", options, async (socket, { scope }) => {
    let isTold = false;
    const drop = ({ problem, why }: Dropped): void => {
      // There is nobody to answer; one line says that something is wrong with the sender, thousands
      // say no more.
      ctx.log[isTold ? "debug" : "warn"]({ problem }, `An event was dropped: ${why}`);
      isTold = true;
    };
    for (;;) {
      const messages = await socket.receiveMany(BATCH);
      if (messages === null) return;
      const events = messages.map(receive).flatMap((received) => {
        if (!("why" in received)) return [received];
        drop(received);
        return [];
      });
      const problem = ctx.disk.bulkProblem();
      if (problem === null) {
        await storeEvents(ctx, scope, events);
        continue;
      }
      const states = events.filter(({ event }) => isTaskRunEvent(event));
      await storeEvents(ctx, scope, states);
      if (states.length === events.length) continue;
      // No ping is answered from here on, so the sender keeps what was not stored, and comes back
      // with it.
      socket.close(CLOSE.tooSlow, problem.message);
      return;
    }
  });
}
