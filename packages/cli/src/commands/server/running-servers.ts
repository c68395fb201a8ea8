// Which servers run on this data folder: each leaves a note there while it does, so that `server
// stop` finds it.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@orchestrator/client/settings";

export interface ServerRecord {
  readonly pid: number;
  readonly url: string;
}

interface WrittenNote extends ServerRecord {
  /**
   * Tells its process from a later one with the same number; null where nobody could say, not there
   * in older notes.
   */
  readonly start?: string | null;
}

const FOLDER = "servers";
const PRIVATE = 0o600;

const folderOf = (home: string): string => join(home, FOLDER);

/** Answers with what takes the note away again. */
export function recordServer(home: string, note: ServerRecord): () => void {
  const path = join(makePrivateFolder(home, FOLDER), `${note.pid}.json`);
  const written: WrittenNote = { start: startOf(note.pid), ...note };
  writeFileSync(path, JSON.stringify(written), { mode: PRIVATE });
  return () => rmSync(path, { force: true });
}

/** Those that still run; notes of others, which were killed, are taken away. */
export function runningServers(home: string): ServerRecord[] {
  return notesIn(folderOf(home)).flatMap(({ path, note }) => {
    if (note !== null && isServer(note)) return [note];
    rmSync(path, { force: true });
    return [];
  });
}

function notesIn(folder: string): { readonly path: string; readonly note: WrittenNote | null }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // no server has run here yet
  }
  return names.map((name) => ({ path: join(folder, name), note: readNote(join(folder, name)) }));
}

function readNote(path: string): WrittenNote | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as WrittenNote;
  } catch {
    return null; // it was being written when the machine went down
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The number may be another program's by now, and that must not be ended. */
function isServer({ pid, start }: WrittenNote): boolean {
  if (!isProcessAlive(pid)) return false;
  if (start === undefined) return looksLikeServer(pid);
  const startNow = startOf(pid);
  return start === null || startNow === null || start === startNow;
}

function looksLikeServer(pid: number): boolean {
  const command = commandOf(pid);
  return command === null || /\bserver\b.*\bstart\b/.test(command);
}

/** Null where that cannot be found out. */
function commandOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return askPs(pid, "command=");
  }
}

const START = 19;

/**
 * When a process was started, in whatever way the machine tells it; null where that cannot be found
 * out.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets and may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START] ?? null;
  } catch {
    return askPs(pid, "lstart=");
  }
}

function askPs(pid: number, column: string): string | null {
  const { status, stdout } = spawnSync("ps", ["-o", column, "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
  });
  return status === 0 ? stdout.trim() : null;
}
