// The CPU time of processes that do not tell it themselves.
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/**
 * User and system time of a process, of all that came from it and of those of them that have ended.
 */
export function cpuOfTree(root) {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .filter(Boolean);
  const family = new Set([root]);
  // A child may have a lower number than its parent, so look until nobody is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const ticks = processes.filter(({ pid }) => family.has(pid)).map((process) => process.ticks);
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS_PER_SECOND;
}

function readStat(name) {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    // The second field is a name in brackets and may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
    return { pid: Number(name), parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
