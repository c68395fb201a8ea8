import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreCommands } from "./database-maintenance.ts";
import { programSettings } from "./settings.ts";

async function aFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "orchestrator-care-")));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

test("a backup is put in the place of the file itself, where that is reached by a link", async () => {
  await using folder = await aFolder();
  const [file, link] = [join(folder.path, "real.db"), join(folder.path, "link.db")];
  await writeFile(file, "");
  await symlink(file, link);
  const env = { ORCHESTRATOR_DATABASE_URL: `sqlite:${link}` };
  expect(restoreCommands(programSettings.read({ env }))).toEqual([
    `rm -f '${file}-wal' '${file}-shm'`,
    `cp BACKUP '${file}'`,
  ]);
});
