import { dirname } from "node:path";
import type { Logger } from "@orchestrator/kernel/log";
import type { LoopDefinition } from "@orchestrator/kernel/loops";
import { ampleDisk, type DiskSpace, DiskWatch } from "@orchestrator/kernel/storage";
import { databaseUrl, isEmbedded } from "./program-database.ts";
import type { ProgramSettings } from "./settings.ts";

/** A flood of bulk writes fills no more than a small part of a disk in this time. */
const LOOK_MS = 2000;

export interface DataDisk {
  readonly disk: DiskSpace;
  readonly loops: readonly LoopDefinition[];
}

/** The disk of the embedded database; that of a database server is watched by those who run it. */
export async function watchDataDisk(settings: ProgramSettings, log: Logger): Promise<DataDisk> {
  const url = databaseUrl(settings);
  if (!isEmbedded(url)) return { disk: ampleDisk, loops: [] };
  const { warnBelow, refuseBelow } = settings.disk;
  const folder = dirname(url.slice("sqlite:".length));
  const disk = new DiskWatch({ folder, warnBelow, refuseBelow, log });
  await disk.measure();
  const loop: LoopDefinition = {
    name: "disk-space",
    everyMs: LOOK_MS,
    runs: "each",
    tick: () => disk.measure(),
  };
  return { disk, loops: [loop] };
}
