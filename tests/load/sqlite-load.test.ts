// Many writers at once on the embedded database, which has room for one at a time.
import { expect, test } from "vitest";
import { httpClient } from "../support/http-client.ts";
import { listVariables } from "../support/list-variables.ts";
import { readMetric } from "../support/metrics.ts";
import { startReadyServer } from "../support/server-process.ts";
import { createAuditor } from "../support/stored-variables.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const WRITERS = 64;
const VARIABLES_EACH = 20;
/** Created, updated twice, every second one deleted; a fourth change is refused. */
const WRITES_EACH = VARIABLES_EACH * 3 + VARIABLES_EACH / 2;

test("serves 64 writers at once, several to a commit, and takes nobody down with a refused one", async () => {
  await using folder = await temporaryFolder();
  await using server = await startReadyServer({ home: folder.path });
  using client = httpClient(server.url);
  const unexpected: string[] = [];

  const send = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await client.send(method, `/api/variables/${path}`, body);
    if (answer.status !== status)
      unexpected.push(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  };
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < VARIABLES_EACH; n += 1) {
      const name = `writer-${writer}-${n}`;
      await send(201, "POST", "", { name, value: 0 });
      await send(204, "PATCH", `name/${name}`, { value: 1 });
      await send(204, "PATCH", "name/everybodys", { value: name });
      await send(409, "PATCH", `name/${name}`, { name: "everybodys", value: 2 });
      if (n % 2 === 1) await send(204, "DELETE", `name/${name}`);
    }
  };
  await send(201, "POST", "", { name: "everybodys", value: null });
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

  expect(unexpected).toEqual([]);
  const { stored, changes, problems } = await createAuditor(
    `sqlite:${folder.path}/orchestrator.db`,
  ).audit();
  expect(problems).toEqual([]);
  expect(stored.size).toBe(1 + (WRITERS * VARIABLES_EACH) / 2);
  expect(changes).toHaveLength(1 + WRITERS * WRITES_EACH);
  expect(await listVariables(client)).toEqual(stored);

  const commits = await readMetric(client, "database_commit_batch_size_count");
  const writes = await readMetric(client, "database_commit_batch_size_sum");
  const upToTwo = await readMetric(client, "database_commit_batch_size_bucket", { le: "2" });
  expect(writes).toBeGreaterThanOrEqual(1 + WRITERS * WRITES_EACH);
  expect(commits).toBeLessThan((writes ?? 0) / 2);
  expect(upToTwo, "commits of more than two writes").toBeLessThan(commits ?? 0);
  // A busy machine makes requests slow.
  const complaints = server.stderr().split("\n");
  expect(complaints.filter((line) => line !== "" && !line.includes("slow request"))).toEqual([]);
});
