import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkPool } from "@orchestrator/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CliWorld, createCliDeployment, openCli } from "./support.ts";

let cli: CliWorld;

beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

test("a work pool is created with the template of its type, changed, paused and deleted", async () => {
  const pool = await cli.json<WorkPool>("work-pool", "create", "local");
  const template = JSON.parse(
    (await cli.run("work-pool", "get-default-base-job-template", "--type", "process")).stdout,
  );
  expect(pool).toMatchObject({ type: "process", base_job_template: template });
  expect(await cli.run("work-pool", "create", "local")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--overwrite"),
  });
  expect(await cli.run("work-pool", "create", "odd", "--type", "proces")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Did you mean process?"),
  });
  await writeFile(join(cli.folder, "template.json"), JSON.stringify(template));
  const file = `@${join(cli.folder, "template.json")}`;
  expect(
    await cli.json(
      "work-pool",
      "update",
      "local",
      "--base-job-template",
      file,
      "--description",
      "d",
    ),
  ).toMatchObject({ description: "d" });
  expect((await cli.run("work-pool", "update", "local")).code).toBe(2);
  expect(await cli.json("work-pool", "set-concurrency-limit", "local", "3")).toMatchObject({
    concurrency_limit: 3,
  });
  expect((await cli.run("work-pool", "ls")).stdout).toContain("0 of 3");
  expect(await cli.json("work-pool", "clear-concurrency-limit", "local")).toMatchObject({
    concurrency_limit: null,
  });
  expect(await cli.json("work-pool", "pause", "local")).toMatchObject({ status: "PAUSED" });
  expect(await cli.json("work-pool", "resume", "local")).toMatchObject({ status: "NOT_READY" });
  expect((await cli.run("work-pool", "inspect", "loca")).stderr).toContain("Did you mean local?");
  expect((await cli.run("work-pool", "delete", "local")).code).toBe(1);
  expect((await cli.run("work-pool", "delete", "local", "-y")).code).toBe(0);
});

test("a pool for containers has places for their image and what else its workers understand", async () => {
  for (const type of ["docker", "kubernetes"]) {
    const { base_job_template } = await cli.json<WorkPool>("work-pool", "create", type, "-t", type);
    const shown = await cli.run("work-pool", "get-default-base-job-template", "--type", type);
    expect(JSON.parse(shown.stdout)).toEqual(base_job_template);
    expect(base_job_template).toMatchObject({
      variables: { properties: { image: { title: "Image" } } },
    });
  }
});

test("queues are found by name, and by pool where the name is not enough", async () => {
  await cli.run("work-pool", "create", "a");
  await cli.run("work-pool", "create", "b");
  const made = await cli.json("work-queue", "create", "urgent", "--pool", "a", "--priority", "1");
  expect(made).toMatchObject({ priority: 1, work_pool_name: "a" });
  expect((await cli.run("work-queue", "create", "homeless")).code).toBe(2);
  expect((await cli.run("work-queue", "inspect", "urgent")).stdout).toContain("NOT_READY");
  expect(await cli.run("work-queue", "inspect", "default")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--pool"),
  });
  expect(await cli.json("work-queue", "inspect", "default", "--pool", "b")).toMatchObject({
    work_pool_name: "b",
  });
  expect(await cli.json("work-queue", "pause", "urgent")).toMatchObject({ is_paused: true });
  expect(await cli.json("work-queue", "resume", "urgent")).toMatchObject({ is_paused: false });
  expect(await cli.json("work-queue", "set-concurrency-limit", "urgent", "2")).toMatchObject({
    concurrency_limit: 2,
  });
  expect(await cli.json("work-queue", "clear-concurrency-limit", "urgent")).toMatchObject({
    concurrency_limit: null,
  });
  expect(await cli.json("work-queue", "update", "urgent", "--name", "fast")).toMatchObject({
    name: "fast",
  });
  expect((await cli.run("work-queue", "ls", "--pool", "a")).stdout).toContain("fast");
  expect((await cli.run("work-queue", "delete", "fast", "-y")).code).toBe(0);
  expect((await cli.run("work-queue", "inspect", "fast")).stderr).toContain("no work queue fast");
});

test("a preview shows what is due, and does not make the pool look served", async () => {
  await cli.run("work-pool", "create", "previewed");
  const { id: flow_id } = await cli.client.flows.create({ name: "waiting" });
  const { id } = await cli.client.deployments.create({
    name: "w",
    flow_id,
    work_pool_name: "previewed",
  });
  const run = await cli.client.deployments.createFlowRun(id, { name: "soon" });
  expect(await cli.json("work-pool", "preview", "previewed")).toMatchObject([{ id: run.id }]);
  expect((await cli.run("work-pool", "preview", "previewed")).stdout).toContain("waiting");
  const queue = ["work-queue", "preview", "default", "--pool", "previewed"];
  expect((await cli.run(...queue)).stdout).toContain("soon");
  expect(await cli.json("work-pool", "inspect", "previewed")).toMatchObject({
    status: "NOT_READY",
  });
});

test("workers are listed with their pools", async () => {
  await cli.run("work-pool", "create", "manned");
  await cli.client.workers.heartbeat("manned", { name: "ada" });
  expect(await cli.json("worker", "ls")).toMatchObject([
    { name: "ada", work_pool_name: "manned", status: "ONLINE" },
  ]);
  expect((await cli.run("workers", "ls", "--pool", "manned")).stdout).toContain("ONLINE");
  expect((await cli.run("work-pool", "inspect", "manned")).stdout).toContain("ada (ONLINE");
});

test("a schedule with a long rule leaves room in a table for what stands beside it, and is whole for programs", async () => {
  const id = await createCliDeployment(cli, { name: "long" });
  const days = Array.from({ length: 28 }, (_, day) => `2026${1001 + day}T090000Z`);
  const rrule = `DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY\nEXDATE:${days.join(",")}`;
  await cli.client.deployments.createSchedules(id, [{ schedule: { rrule }, slug: "work" }]);
  for (const command of [["schedule", "ls", "etl/long"], ["ls"]]) {
    const { stdout } = await cli.run("deployment", ...command);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThan(200);
    expect(stdout).toMatch(/DTSTART:20260101T090000Z RRULE:FREQ=DAILY .*…/);
  }
  expect(await cli.json("deployment", "schedule", "ls", "etl/long")).toMatchObject([
    { schedule: { rrule } },
  ]);
});
