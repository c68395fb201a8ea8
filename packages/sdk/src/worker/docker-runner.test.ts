// Against a server that speaks the calls of a Docker engine; no engine is at hand.

import { dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type EngineResponder, type TestEngine, testEngine } from "../testing/engine.ts";
import { dockerRunner } from "./docker-runner.ts";
import type { WorkerJob } from "./runner.ts";

const before = process.env["DOCKER_HOST"];
afterEach(() => {
  if (before === undefined) delete process.env["DOCKER_HOST"];
  else process.env["DOCKER_HOST"] = before;
});

const job: WorkerJob = {
  flowRunId: "01a1df4f-0000-7000-8000-123456789abc",
  flowRunName: "brave otter",
  configuration: { image: "node:22", mem_limit: 1000, volumes: ["/a:/b"], labels: { team: "x" } },
  command: "echo hello",
  env: { A: "1" },
  folder: null,
  isSelfReporting: false,
  claimed: null,
};

function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

/** The two streams in one, cut where it hurts. */
const logs: EngineResponder = (_, response) => {
  const bytes = Buffer.concat([frame(1, "hel"), frame(2, "careful\n"), frame(1, "lo\nbye")]);
  response.writeHead(200);
  response.write(bytes.subarray(0, 13));
  setTimeout(() => response.end(bytes.subarray(13)), 20);
  return undefined;
};

const engine = (more: readonly (readonly [RegExp, EngineResponder])[]): Promise<TestEngine> =>
  testEngine([
    ...more,
    [/^GET .*\/images\/node%3A22\/json$/, () => [200, {}]],
    [/^POST .*\/containers\/create/, () => [201, { Id: "c1" }]],
    [/^POST .*\/c1\/start$/, () => [204, null]],
    [/^GET .*\/c1\/logs/, logs],
    [/^POST .*\/c1\/wait$/, () => [200, { StatusCode: 3 }]],
    [/^DELETE .*\/c1/, () => [204, null]],
  ]);

const use = ({ url }: TestEngine): void => {
  process.env["DOCKER_HOST"] = url.replace("http:", "tcp:");
};

test("a job becomes a container: its output is told by stream, its exit code is the job's, and then it is removed", async () => {
  await using docker = await engine([]);
  use(docker);
  const lines: string[] = [];
  const places: string[] = [];
  const running = await dockerRunner.start(
    job,
    (stream, text) => lines.push(`${stream} ${text}`),
    (place) => {
      places.push(place.identifier);
      expect(docker.asked.some(({ call }) => call.includes("/create"))).toBe(false);
    },
  );
  expect(running.identifier).toBe("docker:c1");
  expect(await running.ended).toEqual({ code: 3, signal: null });
  expect(lines.filter((line) => line.startsWith("stdout"))).toEqual(["stdout hello", "stdout bye"]);
  expect(lines).toContain("stderr careful");
  const create = docker.asked.find(({ call }) => call.includes("/create"));
  const [, name] = /name=(brave-otter-123456789abc-\w{8})$/.exec(create?.call ?? "") ?? [];
  expect(places).toEqual([`docker:${name}`]);
  expect(create?.body).toEqual({
    Image: "node:22",
    Cmd: ["/bin/sh", "-c", "echo hello"],
    Env: ["A=1"],
    Labels: { team: "x", "orchestrator.flow-run-id": job.flowRunId },
    HostConfig: { Init: true, Binds: ["/a:/b"], Memory: 1000 },
  });
  expect(docker.asked.at(-1)?.call).toMatch(/^DELETE .*\/c1\?force=true/);
});

test("an image that is missing is fetched, and one that cannot be is said", async () => {
  const missing = [/^GET .*\/images\//, () => [404, { message: "No such image" }]] as const;
  await using docker = await engine([
    missing as never,
    [
      /^POST .*\/images\/create\?fromImage=node%3A22$/,
      (_, response) => {
        response.end('{"status":"Pulling"}\n{"error":"manifest unknown"}\n');
        return undefined;
      },
    ],
  ]);
  use(docker);
  await expect(
    dockerRunner.start(
      job,
      () => {},
      () => {},
    ),
  ).rejects.toThrow("The image node:22 could not be fetched: manifest unknown");
});

test("stopping asks the engine with the grace in seconds", async () => {
  let ended: () => void = () => {};
  await using docker = await engine([
    [
      /^POST .*\/c1\/wait$/,
      (_, response) => {
        ended = () => response.end('{"StatusCode":143}');
        return undefined;
      },
    ],
    [
      /^POST .*\/c1\/stop\?t=5$/,
      () => {
        ended();
        return [204, null];
      },
    ],
  ]);
  use(docker);
  const running = await dockerRunner.start(
    job,
    () => {},
    () => {},
  );
  await expect.poll(() => docker.asked.some(({ call }) => call.endsWith("/wait"))).toBe(true);
  running.stop(5);
  expect(await running.ended).toEqual({ code: 143, signal: null });
});

test("what an engine refuses is told in its own words, and the container is not left behind", async () => {
  await using docker = await engine([
    [/^POST .*\/c1\/start$/, () => [409, { message: "port is already allocated" }]],
  ]);
  use(docker);
  await expect(
    dockerRunner.start(
      job,
      () => {},
      () => {},
    ),
  ).rejects.toThrow("port is already allocated");
  expect(docker.asked.at(-1)?.call).toMatch(/^DELETE/);
});

test("an engine that is not there is said", async () => {
  process.env["DOCKER_HOST"] = "unix:///no/such/docker.sock";
  await expect(
    dockerRunner.start(
      job,
      () => {},
      () => {},
    ),
  ).rejects.toThrow("The engine at /no/such/docker.sock does not answer: ENOENT");
});

test("what pools for other workers say of memory, networks and rights is followed", async () => {
  await using docker = await engine([[/^POST .*\/networks\//, () => [200, {}]]]);
  use(docker);
  const configuration = {
    image: "node:22",
    mem_limit: "512m",
    memswap_limit: "-1",
    networks: ["front", "back"],
    network_mode: null,
    privileged: true,
    auto_remove: false,
  };
  const running = await dockerRunner.start(
    { ...job, configuration },
    () => {},
    () => {},
  );
  await running.ended;
  const create = docker.asked.find(({ call }) => call.includes("/create"));
  expect(create?.body).toMatchObject({
    HostConfig: { Memory: 512 * 1024 ** 2, MemorySwap: -1, NetworkMode: "front", Privileged: true },
  });
  const joined = docker.asked.filter(({ call }) => call.includes("/networks/"));
  expect(joined).toMatchObject([
    { call: expect.stringMatching(/\/networks\/back\/connect$/), body: { Container: "c1" } },
  ]);
  expect(docker.asked.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
});

test("volumes begin at the worker's folder where they are relative paths, and are left alone otherwise", async () => {
  await using docker = await engine([]);
  use(docker);
  const left = ["/srv/a:/a:ro", "data:/data", ".hidden:/h", "./no-target", "C:\\a:/a"];
  const relative = [".:/here", "./in/../out:/out:ro", "..:/above", "../next:/next"];
  const configuration = { image: "node:22", volumes: [...left, ...relative] };
  const running = await dockerRunner.start(
    { ...job, configuration },
    () => {},
    () => {},
  );
  await running.ended;
  const create = docker.asked.find(({ call }) => call.includes("/create"));
  const here = process.cwd();
  const Binds = [
    ...left,
    `${here}:/here`,
    `${here}/out:/out:ro`,
    `${dirname(here)}:/above`,
    `${dirname(here)}/next:/next`,
  ];
  expect(create?.body).toMatchObject({ HostConfig: { Binds } });
});

test("an image is used as it is there where it is fetched only if possible, and cannot be", async () => {
  await using docker = await engine([
    [/^POST .*\/images\/create/, () => [500, { message: "no route to host" }]],
  ]);
  use(docker);
  const configuration = { image: "node:22", image_pull_policy: "IfPossible" };
  const running = await dockerRunner.start(
    { ...job, configuration },
    () => {},
    () => {},
  );
  expect(await running.ended).toEqual({ code: 3, signal: null });
  expect(docker.asked[0]?.call).toContain("/images/create");
});

test.each([
  [{ mem_limit: "much" }, /"much" is no amount of memory/],
  [{ registry_credentials: { username: "ada" } }, /cannot follow: registry_credentials$/],
])("what cannot be followed is said: %j", async (settings, message) => {
  await using docker = await engine([]);
  use(docker);
  const configuration = { image: "node:22", ...settings };
  await expect(
    dockerRunner.start(
      { ...job, configuration },
      () => {},
      () => {},
    ),
  ).rejects.toThrow(message);
});

test("a container has begun when it was started, and not when it was only made or is gone", async () => {
  const containers = { one: "running", two: "exited", three: "created" };
  await using docker = await engine(
    Object.entries(containers).map(([name, Status]) => [
      new RegExp(`^GET .*/containers/${name}/json$`),
      () => [200, { State: { Status } }],
    ]),
  );
  use(docker);
  const begun = async (name: string) => dockerRunner.hasBegun?.(`docker:${name}`);
  expect(await Promise.all(["one", "two", "three", "gone"].map(begun))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
