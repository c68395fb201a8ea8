// A flow whose code is nowhere on the worker's machine: it comes from a repository.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, stage } from "./support.ts";

const SDK = new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url);
const TOKEN = "token-that-nobody-sees";

let on: Stage;

beforeAll(async () => {
  on = await stage();
  await on.worker();
});

afterAll(async () => {
  await on[Symbol.asyncDispose]();
});

const git = (...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
    cwd: on.file("repo"),
    encoding: "utf8",
  }).trim();

/** Answers with the commit. */
function commit(said: string): string {
  const isNew = mkdirSync(on.file("repo"), { recursive: true }) !== undefined;
  if (isNew) git("init", "-q", "-b", "main");
  writeFileSync(
    on.file("repo/flow.mjs"),
    `import { flow } from ${JSON.stringify(SDK.href)};
     export const work = flow({ name: "work" }, async () => { console.log(${JSON.stringify(said)}, process.cwd()); });`,
  );
  git("add", ".");
  git("commit", "-qm", said);
  return git("rev-parse", "HEAD");
}

async function deploy(name: string, pull_steps: object[]): Promise<string> {
  const { id: flow_id } = await on.client.flows.create({ name: "work" });
  const place = { work_pool_name: "local", entrypoint: "flow.mjs:work" };
  const fields = { name, flow_id, ...place, pull_steps: pull_steps as never[] };
  return (await on.client.deployments.create(fields)).id;
}

// Starts a runner for each of two commits.
test("each run has the newest commit of its repository", async () => {
  const first = commit("one");
  const deployment = await deploy("cloned", [
    { "prefect.deployments.steps.git_clone": { repository: on.file("repo"), branch: "main" } },
  ]);
  const one = await on.run(deployment);
  await on.inState(one, "COMPLETED");
  const second = commit("two");
  const two = await on.run(deployment);
  await on.inState(two, "COMPLETED");
  const said = [...(await on.logsOf(one)), ...(await on.logsOf(two))].join("\n");
  expect(said).toMatch(new RegExp(`one .*${first}[^]*two .*${second}`));
});

test("a step that fails crashes the run with its reason, without the secret of its block", async () => {
  const { id: block_type_id } = await on.client.blockTypes.readBySlug("secret");
  const [schema] = await on.client.blockSchemas.list({
    block_schemas: { block_type_id: { any_: [block_type_id] } },
  });
  await on.client.blockDocuments.create({
    name: "script",
    block_type_id,
    block_schema_id: schema?.id ?? "",
    data: { value: TOKEN },
  });
  const script =
    'echo "using {{ orchestrator.blocks.secret.script }}"; echo "no {{ orchestrator.blocks.secret.script }}" >&2; exit 7';
  const id = await on.run(await deploy("failing", [{ run_shell_script: { script } }]));
  const { state } = await on.inState(id, "CRASHED");
  expect(state?.message).toContain("The script ended with 7:\nno ***");
  expect(await on.logsOf(id)).toContain("using ***");
  expect((await on.logsOf(id)).join()).not.toContain(TOKEN);
});
