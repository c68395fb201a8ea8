// Jobs as containers, through the HTTP API of a Docker engine (or another that speaks it).

import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { asError } from "../errors.ts";
import { sleepOrAbort } from "../time.ts";
import { containerOf, networksOf } from "./docker-container.ts";
import {
  callEngine,
  deleteFromEngine,
  type EngineAddress,
  isNotThere,
  openEngine,
  unlessNotThere,
} from "./engine-http.ts";
import {
  IMAGE_VARIABLES,
  imageOf,
  imagePullPolicy,
  refuseSettings,
  textSetting,
} from "./image-job.ts";
import { forEachLine } from "./lines.ts";
import { placeholders } from "./process-template.ts";
import {
  type JobEnd,
  JobError,
  type JobRunner,
  type OnLine,
  type RunningJob,
  type WorkerJob,
} from "./runner.ts";

const API = "/v1.41";
const SOCKET = "/var/run/docker.sock";
const AGAIN_MS = 1000;
const MAX_MISSES = 60;
const IDENTIFIER = "docker:";

const MEMORY = { anyOf: [{ type: "string" }, { type: "number" }] } as const;
const VARIABLES = {
  ...IMAGE_VARIABLES,
  image_pull_policy: imagePullPolicy(["IfNotPresent", "Always", "IfPossible", "Never"]),
  working_dir: { title: "Working Directory", type: "string", description: "In the container." },
  volumes: {
    title: "Volumes",
    type: "array",
    items: { type: "string" },
    description: "`from:to`; a `from` such as `./data` begins at the worker's folder.",
  },
  networks: {
    title: "Networks",
    type: "array",
    items: { type: "string" },
    description: "Networks of the engine that the container joins.",
  },
  network_mode: {
    title: "Network Mode",
    type: "string",
    description: "Such as `host`. Not together with networks.",
  },
  mem_limit: { title: "Memory", ...MEMORY, description: "In bytes, or a text such as `512m`." },
  memswap_limit: {
    title: "Memory And Swap",
    ...MEMORY,
    description: "Both together, as the memory; -1 for as much swap as there is.",
  },
  privileged: {
    title: "Privileged",
    type: "boolean",
    default: false,
    description: "Whether the container may do what the host may.",
  },
  auto_remove: {
    title: "Auto Remove",
    type: "boolean",
    default: true,
    description: "Whether the container is removed when it has ended.",
  },
} as const;

/** The socket file, or what DOCKER_HOST says (`unix://…` or `tcp://…`). */
function dockerAddress(host = process.env["DOCKER_HOST"]): EngineAddress {
  if (host === undefined || host === "") return { url: "http://docker", socketPath: SOCKET };
  if (host.startsWith("unix://"))
    return { url: "http://docker", socketPath: host.slice("unix://".length) };
  return { url: host.replace(/^tcp:/, "http:") };
}

export const dockerRunner: JobRunner = {
  type: "docker",
  template: {
    job_configuration: placeholders(Object.keys(VARIABLES)),
    variables: { type: "object", properties: VARIABLES, required: ["image"] },
  },
  async start(job, onLine, onPlaced) {
    const address = dockerAddress();
    const image = imageOf(job);
    refuseSettings(job, ["registry_credentials", "container_create_kwargs"]);
    await fetchImage(address, image, textSetting(job, "image_pull_policy"));
    const name = nameFor(job);
    onPlaced({ identifier: `${IDENTIFIER}${name}`, pid: null });
    const { Id: id } = await callEngine<{ readonly Id: string }>(address, {
      method: "POST",
      path: `${API}/containers/create?name=${encodeURIComponent(name)}`,
      body: containerOf(job, image),
    });
    const container = new Container(address, { id, job, onLine });
    try {
      const [, ...others] = networksOf(job);
      for (const network of others) await join(address, network, id);
      await container.begin();
    } catch (error) {
      await deleteContainer(address, id);
      throw error;
    }
    return container;
  },
  async hasBegun(identifier) {
    const path = `${API}/containers/${identifier.slice(IDENTIFIER.length)}/json`;
    const asked = callEngine<Inspected>(dockerAddress(), { method: "GET", path });
    return asked.then(({ State }) => State.Status !== "created", unlessNotThere);
  },
  takeDown: (identifier) => deleteContainer(dockerAddress(), identifier.slice(IDENTIFIER.length)),
};

async function fetchImage(
  address: EngineAddress,
  image: string,
  policy: string | null,
): Promise<void> {
  if (policy === "Never") return;
  if (policy === "IfPossible") return pull(address, image).catch(() => {}); // Then the engine may have one of before.
  if (policy === "Always" || !(await hasImage(address, image))) await pull(address, image);
}

function hasImage(address: EngineAddress, image: string): Promise<boolean> {
  const path = `${API}/images/${encodeURIComponent(image)}/json`;
  return callEngine(address, { method: "GET", path }).then(
    () => true,
    (error: unknown) => {
      if (isNotThere(error)) return false;
      throw error;
    },
  );
}

async function pull(address: EngineAddress, image: string): Promise<void> {
  const from = `fromImage=${encodeURIComponent(/[:@][^/]*$/.test(image) ? image : `${image}:latest`)}`;
  const progress = await openEngine(address, {
    method: "POST",
    path: `${API}/images/create?${from}`,
  }).catch((error: unknown) => {
    throw new JobError(`The image ${image} could not be fetched: ${asError(error).message}`);
  });
  const refusals: string[] = [];
  await forEachLine(progress, (line) => {
    const [, refusal] = /"error":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (refusal !== undefined) refusals.push(refusal);
  });
  if (refusals.length > 0) {
    throw new JobError(`The image ${image} could not be fetched: ${refusals.join("; ")}`);
  }
}

interface Inspected {
  readonly State: { readonly Status: string };
}

/**
 * Of its own for each start: one that was never begun, or is kept, is not to be in the way of the
 * next.
 */
const nameFor = (job: WorkerJob): string => {
  const name = textSetting(job, "name") ?? job.flowRunName;
  const plain = name.replaceAll(/[^\w.-]+/g, "-").replace(/^[^a-z0-9]+/i, "");
  return `${plain}-${job.flowRunId.slice(-12)}-${randomBytes(4).toString("hex")}`;
};

const join = (address: EngineAddress, network: string, id: string): Promise<unknown> =>
  callEngine(address, {
    method: "POST",
    path: `${API}/networks/${encodeURIComponent(network)}/connect`,
    body: { Container: id },
  });

const deleteContainer = (address: EngineAddress, id: string): Promise<void> =>
  deleteFromEngine(address, `${API}/containers/${id}?force=true&v=true`);

interface Created {
  readonly id: string;
  readonly job: WorkerJob;
  readonly onLine: OnLine;
}

class Container implements RunningJob {
  readonly identifier: string;
  readonly pid = null;
  ended: Promise<JobEnd> = Promise.resolve({ code: null, signal: null });
  readonly #address: EngineAddress;
  readonly #created: Created;

  constructor(address: EngineAddress, created: Created) {
    this.#address = address;
    this.#created = created;
    this.identifier = `${IDENTIFIER}${created.id}`;
  }

  async begin(): Promise<void> {
    await this.#post("start");
    this.ended = this.#untilEnded();
  }

  stop(graceSeconds: number): void {
    this.#post(`stop?t=${Math.ceil(graceSeconds)}`).catch(() => this.kill());
  }

  kill(): void {
    this.#post("kill").catch(() => {}); // It has ended.
  }

  #post(verb: string): Promise<unknown> {
    const path = `${API}/containers/${this.#created.id}/${verb}`;
    return callEngine(this.#address, { method: "POST", path });
  }

  async #untilEnded(): Promise<JobEnd> {
    const { id, job } = this.#created;
    const output = this.#readOutput().catch(() => {});
    const end = await this.#wait();
    await output;
    if (job.configuration["auto_remove"] !== false) {
      await deleteContainer(this.#address, id).catch(() => {}); // It is only in the way.
    }
    return end;
  }

  /** An engine that is restarted is asked again; a container that is gone has ended somehow. */
  async #wait(): Promise<JobEnd> {
    for (let misses = 0; ; misses += 1) {
      try {
        const { StatusCode: code } = (await this.#post("wait")) as { readonly StatusCode: number };
        return { code, signal: null };
      } catch (error) {
        if (isNotThere(error) || misses === MAX_MISSES) {
          return { code: null, signal: null, note: asError(error).message };
        }
        await sleepOrAbort(AGAIN_MS);
      }
    }
  }

  async #readOutput(): Promise<void> {
    const { id, onLine } = this.#created;
    const path = `${API}/containers/${id}/logs?follow=true&stdout=true&stderr=true`;
    const answer = await openEngine(this.#address, { method: "GET", path });
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    const read = (stream: "stdout" | "stderr"): Promise<void> =>
      forEachLine(streams[stream], (text) => onLine(stream, text));
    const all = Promise.all([read("stdout"), read("stderr")]);
    let rest = Buffer.alloc(0);
    for await (const chunk of answer) {
      rest = takeFrames(Buffer.concat([rest, chunk as Buffer]), (stream, bytes) =>
        streams[stream].write(bytes),
      );
    }
    for (const stream of Object.values(streams)) stream.end();
    await all;
  }
}

const HEADER = 8;
const STDERR = 2;

/**
 * Both streams come over one connection, in frames: which one, three bytes of nothing, how long.
 * Answers with the rest.
 */
function takeFrames(
  bytes: Buffer,
  onFrame: (stream: "stdout" | "stderr", bytes: Buffer) => void,
): Buffer<ArrayBuffer> {
  let at = 0;
  while (bytes.length - at >= HEADER) {
    const end = at + HEADER + bytes.readUInt32BE(at + 4);
    if (bytes.length < end) break;
    onFrame(bytes[at] === STDERR ? "stderr" : "stdout", bytes.subarray(at + HEADER, end));
    at = end;
  }
  return Buffer.from(bytes.subarray(at));
}
