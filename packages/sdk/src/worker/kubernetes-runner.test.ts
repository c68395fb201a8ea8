// Against a server that speaks the calls of a cluster; no cluster is at hand.

import { afterEach, expect, test, vi } from "vitest";
import { type EngineResponder, type TestEngine, testEngine } from "../testing/engine.ts";
import { kubernetesRunner } from "./kubernetes-runner.ts";
import type { JobEnd, JobPlace, OnLine, WorkerJob } from "./runner.ts";

const NAMES = ["URL", "TOKEN", "NAMESPACE"].map((name) => `ORCHESTRATOR_KUBERNETES_${name}`);
afterEach(() => {
  for (const name of NAMES) delete process.env[name];
  vi.useRealTimers();
});

const job: WorkerJob = {
  flowRunId: "01a1df4f-0000-7000-8000-123456789abc",
  flowRunName: "Brave Otter!",
  configuration: { image: "job:1", namespace: "work", service_account_name: "runner" },
  command: null,
  env: { A: "1" },
  folder: null,
  isSelfReporting: true,
  claimed: null,
};

const pod = (status: object) => ({ items: [{ metadata: { name: "pod-1" }, status }] });
const RUNNING = pod({ phase: "Running", containerStatuses: [{ state: { running: {} } }] });
const ended = (terminated: object) =>
  pod({ phase: "Failed", containerStatuses: [{ state: { terminated } }] });

async function cluster(
  pods: () => object,
  more: readonly (readonly [RegExp, EngineResponder])[] = [],
): Promise<TestEngine> {
  const engine = await testEngine([
    ...more,
    [/^POST \/apis\/batch\/v1\/namespaces\/work\/jobs$/, () => [201, {}]],
    [/^GET .*\/pods\?labelSelector=job-name%3Dbrave-otter-\w{8}$/, () => [200, pods()]],
    [
      /^GET .*\/pods\/pod-1\/log\?follow=true$/,
      (_, response) => {
        response.end("one\ntwo\n");
        return undefined;
      },
    ],
  ]);
  process.env["ORCHESTRATOR_KUBERNETES_URL"] = engine.url;
  process.env["ORCHESTRATOR_KUBERNETES_TOKEN"] = "t0ken";
  return engine;
}

test("a run becomes a job of the cluster: its log is told, and the exit code of its container is the job's", async () => {
  const looks = [{ items: [] }, pod({ phase: "Pending" }), RUNNING];
  await using engine = await cluster(
    () => looks.shift() ?? ended({ exitCode: 137, reason: "OOMKilled" }),
  );
  const lines: string[] = [];
  const places: JobPlace[] = [];
  const running = await kubernetesRunner.start(
    job,
    (_, text) => lines.push(text),
    (place) => {
      expect(engine.asked).toEqual([]);
      places.push(place);
    },
  );
  const { identifier } = running;
  expect(identifier).toMatch(/^kubernetes:work\/brave-otter-\w{8}$/);
  expect(places).toEqual([{ identifier, pid: null }]);
  expect(await running.ended).toEqual({ code: 137, signal: null, note: "OOMKilled" });
  expect(lines).toEqual(["one", "two"]);
  const [create] = engine.asked;
  expect(create?.authorization).toBe("Bearer t0ken");
  expect(create?.body).toMatchObject({
    kind: "Job",
    metadata: { name: identifier.split("/")[1] },
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: 300,
      template: {
        spec: {
          restartPolicy: "Never",
          serviceAccountName: "runner",
          containers: [
            {
              image: "job:1",
              command: ["node", "node_modules/@orchestrator/sdk/dist/execute.js"],
              env: [{ name: "A", value: "1" }],
            },
          ],
        },
      },
    },
  });
});

test("stopping takes the job away before its pod, which gets the grace", async () => {
  let isGone = false;
  await using engine = await cluster(
    () => (isGone ? { items: [] } : RUNNING),
    [
      [/^DELETE .*\/jobs\/brave-otter-\w{8}\?propagationPolicy=Orphan$/, () => [200, {}]],
      [
        /^DELETE .*\/pods\?labelSelector=job-name%3Dbrave-otter-\w{8}&gracePeriodSeconds=7$/,
        () => {
          isGone = true;
          return [200, {}];
        },
      ],
    ],
  );
  const running = await kubernetesRunner.start(
    job,
    () => {},
    () => {},
  );
  await expect.poll(() => engine.asked.some(({ call }) => call.includes("/log"))).toBe(true);
  running.stop(7);
  expect(await running.ended).toEqual({ code: null, signal: null, note: "its pod is gone" });
  const deletes = engine.asked.filter(({ call }) => call.startsWith("DELETE"));
  const [jobs, pods] = deletes.map(({ call }) => /(jobs|pods)/.exec(call)?.[0]);
  expect([jobs, pods]).toEqual(["jobs", "pods"]);
});

/** Looks are a second apart; here as soon as the one before was answered. */
async function endWithoutWaiting(onLine: OnLine = () => {}): Promise<JobEnd> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const running = await kubernetesRunner.start(job, onLine, () => {});
  let end: JobEnd | undefined;
  void running.ended.then((value) => {
    end = value;
  });
  while (end === undefined) {
    await new Promise(setImmediate);
    await vi.runOnlyPendingTimersAsync();
  }
  return end;
}

const GONE = [200, {}] as [number, unknown];
const deletesIn = ({ asked }: TestEngine): string[] =>
  asked.flatMap(({ call }) =>
    call.startsWith("DELETE") ? (/(jobs\/|gracePeriodSeconds=0)/.exec(call)?.[0] ?? call) : [],
  );

test.each([
  ["that is given no pod", { items: [] }, "it was given no pod"],
  [
    "whose container waits for what is not there",
    pod({
      phase: "Pending",
      containerStatuses: [{ state: { waiting: { reason: "CreateContainerConfigError" } } }],
    }),
    "CreateContainerConfigError: ",
  ],
])(
  "a job %s is deleted before it counts as ended, so that it cannot begin later",
  async (_, pods, note) => {
    await using engine = await cluster(() => pods, [[/^DELETE/, () => GONE]]);
    expect(await endWithoutWaiting()).toEqual({ code: null, signal: null, note });
    expect(deletesIn(engine)).toEqual(["jobs/", "gracePeriodSeconds=0"]);
  },
);

test("a job whose cluster does not answer goes on, and one that has to be deleted is, once the cluster answers", async () => {
  let looks = 0;
  let deletions = 0;
  await using engine = await cluster(
    () => ({}),
    [
      [
        /^GET .*\/pods\?/,
        () => {
          looks += 1;
          if (looks === 1) return [200, RUNNING];
          return looks < 100 ? [503, { message: "no leader" }] : [200, { items: [] }];
        },
      ],
      [
        /^DELETE/,
        () => {
          deletions += 1;
          return deletions < 3 ? [503, { message: "no leader" }] : GONE;
        },
      ],
    ],
  );
  const lines: string[] = [];
  const end = await endWithoutWaiting((_, text) => lines.push(text));
  expect(end).toEqual({ code: null, signal: null, note: "its pod is gone" });
  expect(lines.filter((line) => line.includes("no leader"))).toEqual([
    "The job cannot be watched: no leader",
  ]);
  expect(looks).toBe(100);
  expect(deletesIn(engine)).toEqual(["jobs/", "jobs/", "jobs/", "gracePeriodSeconds=0"]);
});

test.each([
  ["has lost its rights says so after ten minutes", 1, 601],
  ["never had the right to look says so after a minute", 0, 60],
])(
  "a worker that %s, and that it could not delete the job",
  async (_, looksAllowed, looksInAll) => {
    let looks = 0;
    const refused: EngineResponder = () => [403, { message: "pods is forbidden" }];
    await using _engine = await cluster(
      () => ({}),
      [
        [
          /^GET .*\/pods\?/,
          (...asked) => {
            looks += 1;
            return looks > looksAllowed ? refused(...asked) : [200, RUNNING];
          },
        ],
        [/^DELETE/, refused],
      ],
    );
    const note = "pods is forbidden; the job could not be deleted: pods is forbidden";
    expect(await endWithoutWaiting()).toEqual({ code: null, signal: null, note });
    expect(looks).toBe(looksInAll);
  },
);

test("a cluster that has moved while a job runs is found again", async () => {
  await using moved = await cluster(() => ended({ exitCode: 0 }));
  await using _left = await cluster(
    () => ({}),
    [
      [
        /^GET .*\/pods\?/,
        () => {
          process.env["ORCHESTRATOR_KUBERNETES_URL"] = moved.url;
          return [503, { message: "gone" }];
        },
      ],
    ],
  );
  expect(await endWithoutWaiting()).toEqual({ code: 0, signal: null });
});

test("a job is deleted with a token that was replaced since it was last looked at", async () => {
  await using engine = await cluster(
    () => ({ items: [] }),
    [
      [
        /^DELETE/,
        ({ authorization }) => {
          process.env["ORCHESTRATOR_KUBERNETES_TOKEN"] = "n3w";
          return authorization === "Bearer n3w" ? GONE : [401, { message: "Unauthorized" }];
        },
      ],
    ],
  );
  const end = { code: null, signal: null, note: "it was given no pod" };
  expect(await endWithoutWaiting()).toEqual(end);
  expect(deletesIn(engine)).toEqual(["jobs/", "jobs/", "gracePeriodSeconds=0"]);
});

test("a token that was replaced while a job runs is taken", async () => {
  await using engine = await cluster(
    () => ({}),
    [
      [
        /^GET .*\/pods\?/,
        ({ authorization }) => {
          process.env["ORCHESTRATOR_KUBERNETES_TOKEN"] = "n3w";
          if (authorization !== "Bearer n3w") return [401, { message: "Unauthorized" }];
          return [200, ended({ exitCode: 0 })];
        },
      ],
    ],
  );
  expect(await endWithoutWaiting()).toEqual({ code: 0, signal: null });
  expect(deletesIn(engine)).toEqual([]);
});

test("what the cluster refuses is told in its own words, and nothing of it is left", async () => {
  await using engine = await cluster(
    () => RUNNING,
    [[/^POST/, () => [403, { message: 'jobs.batch is forbidden: User "x" cannot create' }]]],
  );
  await expect(
    kubernetesRunner.start(
      job,
      () => {},
      () => {},
    ),
  ).rejects.toThrow("jobs.batch is forbidden");
  expect(engine.asked.filter(({ call }) => call.startsWith("DELETE"))).toHaveLength(2);
});

test("a manifest in the pool's template holds, but for what the worker has to know itself", async () => {
  await using engine = await cluster(() => ended({ exitCode: 0 }));
  const configuration = {
    namespace: "work",
    labels: { team: "x" },
    job_manifest: {
      metadata: { name: "fixed", generateName: "-", namespace: "other", annotations: { a: "b" } },
      spec: {
        backoffLimit: 4,
        ttlSecondsAfterFinished: 60,
        template: {
          spec: {
            serviceAccountName: "runner",
            tolerations: [{ operator: "Exists" }],
            containers: [
              {
                name: "prefect-job",
                image: "job:2",
                args: "run",
                env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
                resources: { limits: { memory: "1Gi" } },
              },
              { name: "side" },
            ],
          },
        },
      },
    },
  };
  const running = await kubernetesRunner.start(
    { ...job, configuration },
    () => {},
    () => {},
  );
  await running.ended;
  const labels = { team: "x", "orchestrator/flow-run-id": job.flowRunId };
  expect(engine.asked[0]?.body).toEqual({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      namespace: "work",
      name: running.identifier.split("/")[1],
      annotations: { a: "b" },
      labels,
    },
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: 60,
      template: {
        metadata: { labels, annotations: { a: "b" } },
        spec: {
          serviceAccountName: "runner",
          tolerations: [{ operator: "Exists" }],
          restartPolicy: "Never",
          containers: [
            {
              name: "job",
              image: "job:2",
              command: ["node", "node_modules/@orchestrator/sdk/dist/execute.js"],
              env: [
                { name: "TOKEN", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
                { name: "A", value: "1" },
              ],
              resources: { limits: { memory: "1Gi" } },
            },
            { name: "side" },
          ],
        },
      },
    },
  });
});

test("annotations are those of the job and of its pod, which may have others", async () => {
  await using engine = await cluster(() => ended({ exitCode: 0 }));
  const configuration = {
    ...job.configuration,
    annotations: { team: "x", rank: "given" },
    job_manifest: {
      metadata: { annotations: { rank: "manifest", job: "yes" } },
      spec: { template: { metadata: { annotations: { rank: "pod", pod: "yes" } } } },
    },
  };
  await (
    await kubernetesRunner.start(
      { ...job, configuration },
      () => {},
      () => {},
    )
  ).ended;
  const annotations = { team: "x", rank: "given", job: "yes" };
  expect(engine.asked[0]?.body).toMatchObject({
    metadata: { annotations },
    spec: { template: { metadata: { annotations: { ...annotations, pod: "yes" } } } },
  });
});

test("resources that a job asks for are added to those of the manifest, which it cannot change", async () => {
  await using engine = await cluster(() => ended({ exitCode: 0 }));
  const configuration = {
    ...job.configuration,
    resources: { limits: { memory: "8Gi", cpu: "2" }, requests: { cpu: "1" } },
    job_manifest: {
      spec: {
        template: {
          spec: { containers: [{ resources: { limits: { memory: "1Gi" }, requests: {} } }] },
        },
      },
    },
  };
  await (
    await kubernetesRunner.start(
      { ...job, configuration },
      () => {},
      () => {},
    )
  ).ended;
  const resources = { limits: { memory: "1Gi", cpu: "2" }, requests: { cpu: "1" } };
  expect(engine.asked[0]?.body).toMatchObject({
    spec: { template: { spec: { containers: [{ resources }] } } },
  });
});

test.each([
  ["the one that everybody begins with", "default", { namespace: "work" }],
  ["another", "batch", {}],
  ["none", undefined, {}],
])(
  "where the template's namespace is %s, the worker's own is taken only for the first",
  async (_, namespace, better) => {
    await using engine = await cluster(() => RUNNING);
    process.env["ORCHESTRATOR_KUBERNETES_NAMESPACE"] = "work";
    const defaults = namespace === undefined ? {} : { namespace };
    expect(await kubernetesRunner.betterDefaults?.(defaults)).toEqual(better);
    expect(engine.asked).toEqual([]);
  },
);

test("a cluster that the template names is none that this worker can go to", async () => {
  const configuration = { image: "job:1", cluster_config: { context_name: "eu" } };
  await expect(
    kubernetesRunner.start(
      { ...job, configuration },
      () => {},
      () => {},
    ),
  ).rejects.toThrow(/cannot follow: cluster_config$/);
});

test("a job has begun when the cluster has it", async () => {
  await using _ = await cluster(() => RUNNING, [[/^GET .*\/jobs\/there$/, () => [200, {}]]]);
  const begun = async (name: string) => kubernetesRunner.hasBegun?.(`kubernetes:work/${name}`);
  expect(await Promise.all([begun("there"), begun("gone")])).toEqual([true, false]);
});
