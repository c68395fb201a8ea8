// A job is all processes that it started, not only the first: they are one process group.

import { readdirSync, readFileSync } from "node:fs";

/** Says whether there was anybody to signal. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Whether a process of the group still runs. One that has ended and was never asked about does not
 * count.
 */
export function isGroupAlive(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== "linux") return true;
  return processIds().some((pid) => isMember(pid, leader));
}

function isMember(pid: number, leader: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.group === leader && stat.state !== "Z" && stat.state !== "X";
}

/** Whether a process other than the leader runs in the group; true where there is no /proc. */
export function hasCompany(leader: number): boolean {
  if (process.platform !== "linux") return true;
  return processIds().some((pid) => pid !== leader && isMember(pid, leader));
}

/**
 * The leader of the group that was started with these in its environment. Without a /proc nobody
 * can say.
 */
export function leaderWith(variables: Readonly<Record<string, string>>): number | null {
  if (process.platform !== "linux") return null;
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const isIt = (pid: number): boolean => {
    if (statOf(pid)?.group !== pid) return false;
    const environment = environmentOf(pid);
    return lines.every((line) => environment.has(line));
  };
  return processIds().find(isIt) ?? null;
}

/** Empty where it is gone or somebody else's. */
function environmentOf(pid: number): ReadonlySet<string> {
  try {
    return new Set(readFileSync(`/proc/${pid}/environ`, "utf8").split("\0"));
  } catch {
    return new Set();
  }
}

/**
 * Tells a process from a later one with the same number; null where it is gone or nobody can say.
 */
export function processStartOf(pid: number): string | null {
  return statOf(pid)?.start ?? null;
}

function processIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

interface ProcessStat {
  readonly state: string;
  readonly group: number;
  readonly start: string;
}

const GROUP = 2;
const START = 19;

function statOf(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", group: Number(fields[GROUP]), start: fields[START] ?? "" };
  } catch {
    return null;
  }
}
