import type { Migration } from "@orchestrator/kernel/storage";
import { COLUMNS, FIGURES } from "./0045-flow-run-tallies.ts";
import { ADDED_UP, NOTED, summands } from "./0058-remote-tallies.ts";

// What is added up on an engine of several writers, by ten minutes and by the hour as well, so that
// a history reads few rows and a page far behind the first passes over whole hours. Triggers of the
// sums keep them, not who adds up: a server of before may do that still.

export const COARSE = "flow_run_coarse_sums";
const KEY = "workspace_id, length, stretch, state_type, state_name";
/** Runs without a time come behind all others. */
export const TIMELESS = "'~'";
const HOUR = 13;
/**
 * How much of a time names its stretch, and where in the name of a minute stands how far into that
 * it is.
 */
const STRETCHES = [
  [HOUR, 15],
  [15, 16],
] as const;
const MICROS_PER_MINUTE = 60_000_000;

const figures = (sign: 1 | -1, ofStretch: string): string =>
  FIGURES.map((name) => (name === "waiting_offset" ? ofStretch : name))
    .map((figure) => `${sign} * (${figure})`)
    .join(", ");

const inStretch = ([length, rest]: (typeof STRETCHES)[number], sums: string, sign: 1 | -1) => `
      select workspace_id, ${length}, substr(minute, 1, ${length}), state_type, state_name,
        ${figures(sign, `waiting_offset + case when waiting <> 0 then waiting * ${MICROS_PER_MINUTE} * substr(minute, ${rest})::integer else 0 end`)} from ${sums} where minute <> ''`;

/** All runs, less those with a time. */
const timeless = (sums: string, sign: 1 | -1): string => `
      select workspace_id, ${HOUR}, ${TIMELESS}, state_type, state_name,
        ${sign} * case when minute = '' then runs else -runs end, 0, 0, 0, 0 from ${sums}`;

const sameKey = (other: string): string =>
  KEY.split(", ")
    .map((column) => `${COARSE}.${column} = ${other}.${column}`)
    .join(" and ");

type Part = readonly [sums: string, sign: 1 | -1];
type SummandKinds = readonly ((...part: Part) => string)[];

export const OF_STRETCHES: SummandKinds = STRETCHES.map(
  (stretch) =>
    (...part: Part) =>
      inStretch(stretch, ...part),
);
/** Until 0073, which stops counting runs without a time. */
const OF_STRETCHES_AND_TIMELESS: SummandKinds = [...OF_STRETCHES, timeless];

/** What rows of sums come to in longer stretches, where that is anything. */
const summed = (parts: readonly Part[], kinds: SummandKinds): string => `
      select ${KEY}, ${FIGURES.map((name) => `sum(${name})`).join(", ")} from (${parts
        .flatMap((part) => kinds.map((summand) => summand(...part)))
        .join(" union all ")}) summand (${KEY}, ${FIGURES.join(", ")})
        group by ${KEY} having ${FIGURES.map((name) => `sum(${name}) <> 0`).join(" or ")}`;

const plus = (other: string): string =>
  FIGURES.map((name) => `${name} = ${COARSE}.${name} + ${other}.${name}`).join(", ");

const added = (parts: readonly Part[], kinds: SummandKinds): string =>
  `insert into ${COARSE} (${KEY}, ${FIGURES.join(", ")}) ${summed(parts, kinds)}
        on conflict (${KEY}) do update set ${plus("excluded")}`;

/**
 * What is not there any more is not made anew to be less than nothing: it went with its workspace.
 */
const taken = (sums: string, kinds: SummandKinds): string =>
  `update ${COARSE} set ${plus("gone")} from (${summed([[sums, -1]], kinds)}) gone (${KEY}, ${FIGURES.join(", ")})
        where ${sameKey("gone")}`;

/** With the rights of the owner, as those of the runs. */
const follower = (create: string, when: string, body: string): string => `
    ${create} ${ADDED_UP}_${when}_follow() returns trigger language plpgsql security definer set search_path from current as $$
    declare nothing record;
    begin
      for nothing in with touched as (${body} returning ${COARSE}.*) select * from touched where ${FIGURES.map((name) => `${name} = 0`).join(" and ")} loop
        delete from ${COARSE} where ${sameKey("nothing")};
      end loop;
      return null;
    end $$;`;

/** The functions of the triggers of sums, created or replaced. */
export const coarseTriggerFunctions = (create: string, kinds: SummandKinds): string =>
  [
    follower(create, "added", added([["added", 1]], kinds)),
    follower(
      create,
      "changed",
      added(
        [
          ["changed", 1],
          ["former", -1],
        ],
        kinds,
      ),
    ),
    follower(create, "removed", taken("removed", kinds)),
  ].join("");

const trigger = (when: string, event: string, tables: string): string => `
    create trigger ${ADDED_UP}_${when} after ${event} on ${ADDED_UP} referencing ${tables}
      for each statement execute function ${ADDED_UP}_${when}_follow();`;

const onPostgres = `
    create table ${COARSE} (
      workspace_id uuid not null, length smallint not null, stretch text collate "C" not null, state_type text collate "C" not null,
      state_name text collate "C" not null, runs bigint not null, run_time numeric not null, lateness numeric not null, waiting bigint not null,
      waiting_offset numeric not null, primary key (${KEY})
    );
    create view flow_run_noted as select ${COLUMNS} from (${summands(NOTED)}) summand (${COLUMNS});
    create view flow_run_hours as select workspace_id, stretch, runs from ${COARSE} where length = ${HOUR};
    create view flow_run_noted_hours as
      select workspace_id, coalesce(substr(expected_start_time, 1, ${HOUR}), ${TIMELESS}) as stretch, sign as runs from ${NOTED};
    lock table ${ADDED_UP} in share row exclusive mode;
    ${added([[ADDED_UP, 1]], OF_STRETCHES_AND_TIMELESS)};
    ${coarseTriggerFunctions("create function", OF_STRETCHES_AND_TIMELESS)}
    ${trigger("added", "insert", "new table as added")}
    ${trigger("changed", "update", "new table as changed old table as former")}
    ${trigger("removed", "delete", "old table as removed")}`;

export const coarseTalliesMigration: Migration = {
  name: "coarse-tallies",
  up: (_, { isRemote }) => (isRemote ? onPostgres : "select 1"),
};
