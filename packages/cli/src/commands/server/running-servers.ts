// Which servers run on this data folder: each leaves a note there while it does, so that `server stop` finds it.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ServerNote {
  readonly pid: number;
  readonly url: string;
}

const folderOf = (home: string): string => join(home, "servers");

/** Answers with what takes the note away again. */
export function noteServer(home: string, note: ServerNote): () => void {
  const path = join(folderOf(home), `${note.pid}.json`);
  mkdirSync(folderOf(home), { recursive: true });
  writeFileSync(path, JSON.stringify(note));
  return () => rmSync(path, { force: true });
}

/** Those that still run; notes of others, which were killed, are taken away. */
export function runningServers(home: string): ServerNote[] {
  return notesIn(folderOf(home)).flatMap(({ path, note }) => {
    if (note !== null && isServer(note.pid)) return [note];
    rmSync(path, { force: true });
    return [];
  });
}

function notesIn(folder: string): { readonly path: string; readonly note: ServerNote | null }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // no server has run here yet
  }
  return names.map((name) => ({ path: join(folder, name), note: readNote(join(folder, name)) }));
}

function readNote(path: string): ServerNote | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ServerNote;
  } catch {
    return null; // it was being written when the machine went down
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The number may be another program's by now, and that must not be ended. */
function isServer(pid: number): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === null || /\bserver\b.*\bstart\b/.test(command);
}

/** Null where that cannot be found out. */
function commandOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    const { status, stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
    });
    return status === 0 ? stdout : null;
  }
}
