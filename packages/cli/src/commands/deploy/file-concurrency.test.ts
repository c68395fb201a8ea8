import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readProjectFile } from "./orchestrator-file.ts";
import { fieldsOf } from "./plan.ts";

const folder = mkdtempSync(join(tmpdir(), "orchestrator-file-"));
const file = join(folder, "orchestrator.yaml");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fieldsFrom(lines: string) {
  writeFileSync(file, `deployments:\n  - { name: nightly, flow: sh, command: "true", ${lines} }\n`);
  const [deployment] = readProjectFile(file).deployments;
  if (deployment === undefined) throw new Error("There is no deployment");
  return (await fieldsOf(file, deployment)).fields;
}

test.each([
  [
    `concurrency: { key: "{{ parameters.customer }}", limit: 2, on_collision: skip }`,
    2,
    "CANCEL_NEW",
  ],
  [`concurrency: { key: "{{ parameters.customer }}", onCollision: cancel-running }`, 1, "ENQUEUE"],
])("a deployment has %s", async (lines, limit, collision_strategy) => {
  expect(await fieldsFrom(lines)).toMatchObject({
    concurrency_limit: limit,
    concurrency_key: "{{ parameters.customer }}",
    concurrency_options: { collision_strategy },
  });
});

test("a deployment without concurrency has neither key nor limit", async () => {
  expect(await fieldsFrom("")).toMatchObject({
    concurrency_limit: null,
    concurrency_key: null,
    on_collision: null,
    concurrency_options: null,
  });
});

test.each([
  ["concurrency: { on_collision: sometimes }", "must be one of queue, skip"],
  ["concurrency: { slots: 1 }", "unknown key slots"],
  ["concurrency: { limit: 0 }", "must be a whole number"],
  ["concurrency_limit: 1, concurrency: { limit: 1 }", "both concurrency and concurrency_limit"],
])("refuses %s", async (lines, problem) => {
  await expect(fieldsFrom(lines)).rejects.toThrow(problem);
});
