// What a server and its worker write, as other users of the machine see it.
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const DATABASE = ["orchestrator.db", "orchestrator.db-shm", "orchestrator.db-wal"];

const CLOSED = [...DATABASE, "jobs", "servers"];

const pathsBelow = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" });

/** Whether anybody but its owner may read or write it. */
const isOpen = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

test.skipIf(process.platform === "win32")(
  "a server and its worker keep what they write to their owner, in a data folder that was open before as well",
  async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "data");
    // Made by somebody else, with the modes that are usual.
    mkdirSync(join(home, "jobs"), { recursive: true, mode: 0o755 });
    mkdirSync(join(home, "servers"), { mode: 0o755 });
    const options = { home, flags: ["--worker"] };
    {
      await using _server = await startReadyServer(options);
      await retryUntil(() => expect(readdirSync(join(home, "jobs"))).not.toEqual([]));
      expect(pathsBelow(home)).toEqual(expect.arrayContaining(DATABASE));
      // A folder that was open is closed right before it is used.
      await retryUntil(() =>
        expect(pathsBelow(home).filter((path) => isOpen(join(home, path)))).toEqual([]),
      );
    }
    // It was killed, so its log is there and is opened again.
    expect(existsSync(join(home, "orchestrator.db-wal"))).toBe(true);
    for (const path of pathsBelow(home).filter((name) => !name.startsWith("secrets"))) {
      const isFolder = statSync(join(home, path)).isDirectory();
      chmodSync(join(home, path), isFolder ? 0o755 : 0o644);
    }
    await using _server = await startReadyServer(options);
    expect(pathsBelow(home)).toEqual(expect.arrayContaining(CLOSED));
    // The worker begins a moment later.
    await retryUntil(() => expect(CLOSED.filter((path) => isOpen(join(home, path)))).toEqual([]));
  },
);
