import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Automation, Deployment } from "@orchestrator/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CliWorld, openCli } from "./support.ts";

let cli: CliWorld;

beforeAll(async () => {
  cli = await openCli();
  await cli.run("work-pool", "create", "default");
});
afterAll(() => cli[Symbol.asyncDispose]());

const file = (): string => join(cli.folder, "orchestrator.yaml");
const deploy = (...args: readonly string[]) =>
  cli.json<{ name: string; action: string }[]>("deploy", "--file", file(), "--all", ...args);
const outcomes = async (...args: readonly string[]) =>
  (await deploy(...args)).map(({ name, action }) => `${name}: ${action}`);

const project = (triggers: string): string => `
pull:
  - set_working_directory: { directory: /tmp }
deployments:
  - name: repair
    flow: shop
    command: "true"
    concurrency: { key: "{{ parameters.shop }}", on_collision: replace-queued }
    triggers: ${triggers}
triggers:
  - name: repair failed
    trigger:
      expect: [orchestrator.flow-run.Failed]
      match_related: { prefect.resource.id: "@deployment:shop/repair" }
    actions: [{ type: pause-deployment, deployment: shop/repair }]
`;

// Several commands, each a process.
test("a file makes deployments with keys, pull steps and triggers, and changes what is different", async () => {
  await writeFile(
    file(),
    project("[{ name: down, expect: [shop.down] }, { expect: [shop.slow] }]"),
  );
  const created = [
    "shop/repair: create",
    "repair failed: create",
    "shop/repair: down: create",
    "shop/repair: 2: create",
  ];
  expect(await outcomes("--dry-run")).toEqual(created);
  expect(await outcomes()).toEqual(created);
  const deployment = await cli.json<Deployment>("deployment", "inspect", "shop/repair");
  expect(deployment).toMatchObject({
    path: null,
    on_collision: "replace-queued",
    pull_steps: [{ set_working_directory: { directory: "/tmp" } }],
    global_concurrency_limit: { limit: 1, key: { template: "{{ parameters.shop }}" } },
  });
  const { id } = deployment;
  const automations = await cli.json<Automation[]>("automation", "ls");
  expect(automations.find(({ name }) => name === "repair failed")).toMatchObject({
    trigger: { match_related: { "prefect.resource.id": `prefect.deployment.${id}` } },
    actions: [{ type: "pause-deployment", deployment_id: id }],
  });
  await writeFile(file(), project("[{ name: down, expect: [shop.down], parameters: { n: 1 } }]"));
  expect(await outcomes()).toEqual([
    "shop/repair: none",
    "repair failed: change",
    "shop/repair: down: change",
    "shop/repair: 2: delete",
  ]);
  expect((await outcomes()).slice(2)).toEqual(["shop/repair: down: none"]);
});

// Several commands, each a process.
test("what is removed from a trigger of the file is removed by the next deploy, and what is off stays off", async () => {
  await writeFile(
    file(),
    project("[{ name: down, enabled: false, expect: [a, b], after: [c], match: { x: y } }]"),
  );
  await deploy();
  await writeFile(file(), project("[{ name: down, expect: [a] }]"));
  expect((await outcomes()).slice(2)).toEqual(["shop/repair: down: change"]);
  const automations = await cli.json<Automation[]>("automation", "ls");
  expect(automations.find(({ name }) => name === "shop/repair: down")).toMatchObject({
    enabled: false,
    trigger: { expect: ["a"], after: [], match: {} },
  });
  expect((await outcomes()).slice(2)).toEqual(["shop/repair: down: none"]);
});
