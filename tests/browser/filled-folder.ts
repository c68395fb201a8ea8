// A data folder with things to look at, filled once for all files of a worker process.
import { rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { startReadyServer } from "../support/server-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { type FilledRecords, fillServer } from "./fill.ts";

let template: Promise<{ readonly path: string; readonly filled: FilledRecords }> | undefined;

/** A copy of it, for a server of the caller. */
export async function filledFolder(): Promise<{
  readonly home: TemporaryFolder;
  readonly filled: FilledRecords;
}> {
  template ??= fillTemplate();
  const { path, filled } = await template;
  const home = await temporaryFolder();
  await cp(path, home.path, { recursive: true });
  return { home, filled };
}

async function fillTemplate() {
  const { path } = await temporaryFolder();
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  const server = await startReadyServer({ home: path });
  const filled = await fillServer(server.url);
  server.kill("SIGTERM");
  await server.exited;
  return { path, filled };
}
