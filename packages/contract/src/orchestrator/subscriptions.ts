// What is said over websockets to be given things as they come.

import { Type } from "typebox";
import { Flag, Nullable, StringEnum } from "../schema/index.ts";
import { EventFilter } from "./events.ts";
import { LogFilter } from "./logs.ts";

const MAX_KEYS = 1000;
const MAX_TEXT = 1000;
const MAX_KEY = 100_000;

/** Said once, to begin with: which events are wanted, and whether those of the last minutes are. */
export const EventSubscription = Type.Object({
  type: StringEnum(["filter"]),
  filter: EventFilter,
  backfill: Type.Optional(Nullable(Flag())),
});

/** Said once, to begin with: which log lines are wanted. */
export const LogSubscription = Type.Object({
  type: StringEnum(["filter"]),
  filter: LogFilter,
});

/** Said once by a task worker, to begin with: which tasks it runs. */
export const TaskSubscription = Type.Object({
  type: StringEnum(["subscribe"]),
  keys: Type.Array(Type.String({ minLength: 1, maxLength: MAX_KEY }), {
    minItems: 1,
    maxItems: MAX_KEYS,
  }),
  client_id: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
});

/** Said by a task worker of each run it was given. */
export const TaskAnswer = Type.Object({ type: StringEnum(["ack", "quit"]) });
