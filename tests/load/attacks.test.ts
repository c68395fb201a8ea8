// The attacks of `npm run bench -- attack` are requests that the server understands, and what it
// does under them is seen.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type ServerProcess, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface AttackRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Attack {
  readonly name: string;
  readonly mode: "open" | "accounts";
  readonly answers: readonly string[];
  readonly prepare: (place: unknown) => Promise<{ readonly requests: readonly AttackRequest[] }>;
}

const BENCH = new URL("../../bench/", import.meta.url);
const OWNER_KEY = /(orc_[\w-]{43})/;

// The benchmarks are programs without types.
const { chooseAttacks } = (await import(new URL("attack/table.mjs", BENCH).href)) as {
  chooseAttacks: () => readonly Attack[];
};
const { placeAt } = await import(new URL("attack/place.mjs", BENCH).href);

test.each(["open", "accounts"] as const)(
  "a server in mode %s understands every attack",
  async (mode) => {
    await using folder = await temporaryFolder();
    await using server = await startReadyServer({
      home: folder.path,
      env: {
        ORCHESTRATOR_SERVER_AUTH_MODE: mode,
        ORCHESTRATOR_AUTH_PUBLIC_URL: "http://127.0.0.1:4200",
      },
    });
    const ownerKey = OWNER_KEY.exec(server.stdout())?.[1];
    const place = placeAt({ url: server.url, ownerKey });
    const attacks = chooseAttacks().filter((attack) => attack.mode === mode);
    expect(attacks).not.toEqual([]);
    for (const attack of attacks) {
      const { requests } = await attack.prepare(place);
      for (const request of requests.slice(-2))
        expect(attack.answers, attack.name).toContain(await statusOf(server, request));
    }
  },
);

async function statusOf({ url }: ServerProcess, { path, body, ...sent }: AttackRequest) {
  const numbered = body.replaceAll("{n}", "000000000001");
  const answer = await fetch(`${url}${path}`, { ...sent, body: numbered });
  await answer.text();
  return String(answer.status);
}

test("tells how long health and readiness took, and what became of the attack's requests", async () => {
  const program = fileURLToPath(new URL("run.mjs", BENCH));
  const options = ["--only", "parentheses", "--database", "sqlite", "--seconds", "0.5", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, [program, "attack", ...options]);
  const { engines } = JSON.parse(stdout) as { engines: { rows: Record<string, unknown>[] }[] };
  const [row] = engines.flatMap(({ rows }) => rows);
  const times = { count: expect.any(Number), p50: expect.any(Number), p99: expect.any(Number) };
  expect(row).toMatchObject({
    name: "parentheses",
    health: { ...times, failures: {} },
    ready: { ...times, failures: {} },
    peakMegabytes: expect.any(Number),
    sent: { resets: {} },
    wrong: {},
  });
});
