import { type Static, Type } from "typebox";
import { LONG, Nullable, Timestamp, Uuid } from "../schema/index.ts";
import { Event } from "./events.ts";

/** So many bytes of a result are stored inline. */
export const MAX_JOURNAL_VALUE = 65_536;
/** The same in base64. */
const MAX_VALUE_TEXT = 87_384;
const MAX_FINGERPRINT = 100;
const MAX_ENTRIES = 100;

/** The result of a call that a flow run has finished. */
export const JournalEntry = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      ...LONG,
      description: "The place of the call in the run",
      examples: ["fetch/0"],
    }),
    fingerprint: Nullable(Type.String({ maxLength: MAX_FINGERPRINT }), {
      description: "Of the arguments; a call with others is another call",
    }),
    value: Type.String({
      maxLength: MAX_VALUE_TEXT,
      description: "The result in the encoding of the executor, at most 64 KiB in base64",
    }),
  },
  { $id: "JournalEntry" },
);
export type JournalEntry = Static<typeof JournalEntry>;

/** An entry as it is stored. */
export const StoredJournalEntry = Type.Object(
  {
    ...JournalEntry.properties,
    task_run_id: Nullable(Uuid()),
    finished: Timestamp({ description: "When the call ended, by the clock of its executor" }),
  },
  { $id: "StoredJournalEntry" },
);
export type StoredJournalEntry = Static<typeof StoredJournalEntry>;

/** Which claim of which flow run an executor works under. */
export const ExecutorClaim = Type.Object(
  {
    flow_run_id: Uuid({ description: "The run that was claimed: of a subflow, the outermost" }),
    claim_id: Uuid({ description: "Of the state that the claim began with" }),
  },
  { $id: "ExecutorClaim" },
);
export type ExecutorClaim = Static<typeof ExecutorClaim>;

const claim = () =>
  Type.Optional(
    Nullable(ExecutorClaim, { description: "Answered with 409 once that claim has lapsed" }),
  );

/** An event of an executor, with what is stored elsewhere in the same commit. */
export const ExecutorEvent = Type.Object(
  {
    ...Event.properties,
    claim: claim(),
    journal: Type.Optional(
      Nullable(JournalEntry, {
        description: "The result of the task run that the event reports, for the run's journal",
      }),
    ),
  },
  { $id: "ExecutorEvent" },
);
export type ExecutorEvent = Static<typeof ExecutorEvent>;

/** A body of small events is one transaction, for which all others wait. */
const MAX_EVENTS = 5000;

/** All of them are stored or none. */
export const ExecutorEventBatch = Type.Array(ExecutorEvent, { maxItems: MAX_EVENTS });

export const JournalWrite = Type.Object(
  { claim: claim(), entries: Type.Array(JournalEntry, { maxItems: MAX_ENTRIES }) },
  { $id: "JournalWrite" },
);
export type JournalWrite = Static<typeof JournalWrite>;
