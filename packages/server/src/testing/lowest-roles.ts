// The least role that each operation takes, read from a table that knows nothing of the rules of
// the program.
import { readFileSync } from "node:fs";

export const RANKS = [
  "anybody",
  "viewer",
  "runner",
  "developer",
  "admin",
  "owner",
  "operator",
] as const;
export type Rank = (typeof RANKS)[number];

/** By operation, such as `GET /api/flows/{id}`. */
export function lowestRoles(): Map<string, Rank> {
  const text = readFileSync(new URL("lowest-roles.txt", import.meta.url), "utf8");
  const roles = new Map<string, Rank>();
  let rank: Rank | undefined;
  for (const line of text.split("\n")) {
    const [, heading] = /^# (\w+)$/.exec(line) ?? [];
    if (heading !== undefined) rank = RANKS.find((name) => name === heading);
    else if (line !== "" && !line.startsWith("#")) {
      if (rank === undefined || roles.has(line)) throw new Error(`${line} stands there twice`);
      roles.set(line, rank);
    }
  }
  return roles;
}

export const isAtLeast = (rank: Rank, needed: Rank): boolean =>
  RANKS.indexOf(rank) >= RANKS.indexOf(needed);
