import type { VersionRow } from "../../db/tables/versions.table.ts";

type Seen = Omit<VersionRow, "monitor_id" | "since">;

const INSTANCE = /^instance(?:#\d+)?$/;

/** The versions that a result tells of, by check; a check that failed tells of none. */
export function versionsIn(details: Readonly<Record<string, unknown>>): Seen[] {
  return Object.entries(details).flatMap(([check_name, found]) => {
    if (!INSTANCE.test(check_name)) return [];
    const { version, revision, build_time } = found as Readonly<Record<string, unknown>>;
    if (typeof version !== "string") return [];
    return [{ check_name, version, revision: textOf(revision), build_time: textOf(build_time) }];
  });
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
