import { type Word, word } from "../../word.ts";

const stream = () => import("./stream.ts");
const verbs = () => import("./verbs.ts");

export const EVENT: readonly Word[] = [
  word("stream", "Show events as they happen", async () => (await stream()).streamEventsCommand()),
  word("ls", "List past events, the newest first", async () => (await verbs()).listEventsCommand()),
  word("emit", "Tell the server of an event", async () => (await verbs()).emitEventCommand()),
];
