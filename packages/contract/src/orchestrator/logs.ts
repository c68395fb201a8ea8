import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  JsonValue,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

const Level = Int({
  description: "10 debug, 20 info, 30 warning, 40 error, 50 critical, or a number of one's own.",
  examples: [20],
});

const line = {
  name: Type.String({ maxLength: 10_000, description: "The logger's name." }),
  level: Level,
  message: Type.String({
    description: "Of one that has more than 1,000,000 characters the middle is left out.",
  }),
  timestamp: Timestamp({ description: "When the line was written." }),
};

export const Log = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    ...line,
    flow_run_id: Nullable(Uuid()),
    task_run_id: Nullable(Uuid()),
  },
  { $id: "Log" },
);
export type Log = Static<typeof Log>;

export const LogCreate = Model(
  {
    id: Type.Optional(
      Uuid({
        description:
          "Of a line that may be sent twice: one with this id and timestamp is stored once. Lines of one moment are listed by their ids.",
      }),
    ),
    ...line,
    flow_run_id: Type.Optional(Nullable(Uuid())),
    task_run_id: Type.Optional(Nullable(Uuid())),
    worker_id: Type.Optional(JsonValue({ description: "Some clients send it; it is not kept." })),
  },
  { $id: "LogCreate" },
);
export type LogCreate = Static<typeof LogCreate>;

export const LogBatch = Type.Array(LogCreate, { maxItems: 20_000 });

const TextSearch = Model(
  {
    query: Type.String({
      maxLength: 200,
      description:
        'Words are alternatives; `+word` must occur, `-word` or `!word` must not, `"words in a row"` are one term.',
      examples: ['timeout "connection lost" +api -debug'],
    }),
  },
  { description: "Searches message and logger name, in any case." },
);

export const LogFilter = FilterModel(
  {
    level: { ge_: Int(), le_: Int() },
    timestamp: { before_: Timestamp(), after_: Timestamp() },
    flow_run_id: { any_: Type.Array(Uuid()) },
    task_run_id: { any_: Type.Array(Uuid()), is_null_: Flag() },
    text: TextSearch,
  },
  { $id: "LogFilter" },
);

const LOG_SORTS = ["TIMESTAMP_ASC", "TIMESTAMP_DESC"] as const;
export type LogSort = (typeof LOG_SORTS)[number];

/** More would keep others waiting while they are read. */
const MAX_NEWEST = 5000;

export const NewestLogs = NamedParameters(
  { logs: Type.Optional(LogFilter), limit: Limit(MAX_NEWEST) },
  { ownFilter: "logs" },
);

export const LogList = NamedParameters(
  {
    logs: Type.Optional(LogFilter),
    sort: Type.Optional(StringEnum(LOG_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "logs" },
);
