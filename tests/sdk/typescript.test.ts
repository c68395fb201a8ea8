// Flows written in TypeScript, in a project that has no compiler: they run as they are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));

const FILES: Readonly<Record<string, string>> = {
  "package.json": `{ "private": true }`,
  "flows/report.ts": `
import { flow, FlowOptions, task } from "@orchestrator/sdk";
import { Row, total } from "./lib/sum.js";
import { shout } from "./lib/words";
enum Size { Small = 1, Big = 2 }
class Box {
  constructor(private readonly size: Size) {}
  get label(): string { return Size[this.size] ?? ""; }
}
const options: FlowOptions = { name: "typed" };
const add = task({ name: "add" }, async (rows: Row[]): Promise<number> => total(rows));
export const typed = flow(options, async ({ amount = 1 }: { amount?: number }) => {
  console.log(shout(new Box(Size.Big).label, await add([{ amount }, { amount: 3 }])));
  if (amount < 0) {
    throw new Error("below nothing");
  }
});
`,
  "flows/lib/sum.ts": `
export interface Row { amount: number }
export const total = (rows: Row[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);
`,
  "flows/lib/words.ts": "export const shout = (...words: unknown[]) => `${words.join(' ')}!`;\n",
  "flows/broken.ts": "const a: number = 1;\nexport const b: = 2;\n",
  "run.ts": `
import { typed } from "./flows/report.ts";
const amount: number = 4;
await typed({ amount });
`,
};

async function aProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(join(folder, "node_modules", "@orchestrator"), { recursive: true });
  await symlink(SDK, join(folder, "node_modules", "@orchestrator", "sdk"));
}

async function node(server: SdkServer, folder: string, args: readonly string[], env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      ORCHESTRATOR_API_URL: `${server.url}/api`,
      ORCHESTRATOR_HOME: server.home,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (text) => (output += String(text)));
  child.stderr.on("data", (text) => (output += String(text)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** Executes a run of the flow as a worker does. */
async function executed(server: SdkServer, folder: string, entrypoint: string, parameters = {}) {
  const { flows, flowRuns, logs } = server.client;
  const { id: flow_id } = await flows.create({ name: "typed" });
  const { id } = await flowRuns.create({ flow_id, parameters, state: { type: "PENDING" } });
  const env = { ORCHESTRATOR_FLOW_RUN_ID: id, ORCHESTRATOR_ENTRYPOINT: entrypoint };
  await node(server, folder, [join(SDK, "dist", "execute.js")], env);
  const lines = await logs.list({ logs: { flow_run_id: { any_: [id] } } });
  return { run: await flowRuns.read(id), text: lines.map(({ message }) => message).join("\n") };
}

test("a worker executes an entrypoint in TypeScript, with enums and imports as compilers want them", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  await aProject(folder.path);
  const { run, text } = await executed(server, folder.path, "flows/report.ts:typed");
  expect(run).toMatchObject({ state_type: "COMPLETED" });
  expect(text).toContain("Big 4!");
});

test("what goes wrong is told with the line of the file as it was written", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  await aProject(folder.path);
  const entrypoint = "flows/report.ts:typed";
  const { run, text } = await executed(server, folder.path, entrypoint, { amount: -9 });
  expect(run).toMatchObject({ state_type: "FAILED", state: { message: "Error: below nothing" } });
  expect(text).toMatch(/below nothing\n +at .*report\.ts:15:\d+/);
  expect(text).not.toContain("node:internal");
  const broken = await executed(server, folder.path, "flows/broken.ts:b");
  expect(broken.run.state?.message).toMatch(/could not be loaded.*broken\.ts:2/);
});

test("a program in TypeScript runs with one flag", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  await aProject(folder.path);
  const flag = ["--import", "@orchestrator/sdk/typescript"];
  expect(await node(server, folder.path, [...flag, "run.ts"])).toMatchObject({
    code: 0,
    output: expect.stringContaining("Big 7!"),
  });
});
