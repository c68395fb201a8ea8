// The client of a run in a test: the same calls, answered from memory.

import { ApiError, type CallOptions, type OrchestratorClient } from "@orchestrator/client";
import type {
  FlowRun,
  FlowRunCreate,
  FlowRunSuspend,
  FlowRunWaitCreate,
  JournalWrite,
} from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { nextTurn, timestampIn } from "../time.ts";
import type { MemoryRun, NewMemoryRun } from "./memory-run.ts";
import type { MemoryServer } from "./memory-server.ts";

type Method = (...args: never[]) => unknown;
type Resources = Readonly<Record<string, Readonly<Record<string, Method>>>>;

interface ChildFilter {
  readonly flow_runs?: { readonly parent_task_run_id?: { readonly any_?: readonly string[] } };
}

/** `pass` goes before each answer: it never comes for a process that is gone. */
export function memoryClient(
  server: MemoryServer,
  pass: <Answer>(answer: () => Answer | Promise<Answer>) => Promise<Answer>,
): OrchestratorClient {
  const resources: Resources = { ...runMethods(server), ...otherMethods(server) };
  const client = Object.fromEntries(
    Object.entries(resources).map(([name, methods]) => [name, withUnknown(name, methods, pass)]),
  );
  return new Proxy(client, {
    get: (known, name) => known[String(name)] ?? withUnknown(String(name), {}, pass),
  }) as unknown as OrchestratorClient;
}

/** What a test cannot answer is an error that names it, not an undefined method. */
function withUnknown(
  resource: string,
  methods: Readonly<Record<string, Method>>,
  pass: Parameters<typeof memoryClient>[1],
): object {
  return new Proxy(methods, {
    get: (known, name) => {
      const method = known[String(name)];
      if (method === undefined) {
        return () =>
          Promise.reject(new Error(`A test without a server has no ${resource}.${String(name)}`));
      }
      if (name === "follow") return method;
      return (...args: never[]) => pass(() => method(...args));
    },
  });
}

const runOf = (server: MemoryServer, id: string): MemoryRun => {
  const run = server.runs.get(id);
  if (run === undefined) throw notFound(`the flow run ${id}`);
  return run;
};

function runMethods(server: MemoryServer): Resources {
  const run = (id: string): MemoryRun => runOf(server, id);
  return {
    flows: { create: ({ name }: { readonly name: string }) => ({ id: name, name }) },
    flowRuns: {
      create: (given: FlowRunCreate) =>
        server.addRun({ ...given, name: given.name ?? given.flow_id } as NewMemoryRun).record,
      /** The pause itself gives no signal, and reads the run as soon as it is no longer paused. */
      async read(id: string, { signal }: CallOptions = {}): Promise<FlowRun> {
        if (signal !== undefined) await nextTurn();
        else while (run(id).state.type === "PAUSED") await run(id).change;
        return run(id).record;
      },
      update: (id: string, fields: Partial<FlowRun>) => run(id).update(fields),
      setState: (id: string, proposal: Parameters<MemoryRun["propose"]>[0]) =>
        run(id).propose(proposal),
      list: ({ flow_runs }: ChildFilter) =>
        server.childrenOf(flow_runs?.parent_task_run_id?.any_ ?? []),
      createInput(id: string, { key, value }: { readonly key: string; readonly value: string }) {
        run(id).inputs.set(key, value);
      },
      readInput(id: string, key: string) {
        const value = run(id).inputs.get(key);
        if (value === undefined) throw notFound(`the input ${key}`);
        return value;
      },
      readJournal(id: string) {
        const lines = [...run(id).journal.values()].map((entry) => `${JSON.stringify(entry)}\n`);
        return new Blob(lines).stream();
      },
      writeJournal(id: string, { entries }: JournalWrite) {
        for (const entry of entries) {
          const stored = { ...entry, task_run_id: null, finished: timestampIn(0) };
          run(id).journal.set(entry.key, stored);
        }
      },
      wait: (id: string, request: FlowRunWaitCreate) => server.waits.read(id, request),
      suspend: (id: string, request: FlowRunSuspend) => server.waits.suspend(run(id), request),
      readResult(id: string) {
        const entry = run(id).journal.get("return");
        if (entry === undefined) throw notFound("its result");
        return entry;
      },
    },
    taskRuns: { create: ({ id }: { readonly id: string }) => ({ id }) },
    deployments: {
      readByName(flow: string, deployment: string) {
        const name = `${flow}/${deployment}`;
        if (server.fakeOf(name) !== undefined) return { id: name };
        throw notFound(`the deployment ${name}: give the test a fake("${name}", …)`);
      },
      createFlowRun: (name: string, given: NewMemoryRun) =>
        server.startDeployment(name, { ...given, flow_id: name, name: given.name ?? name }).record,
    },
  };
}

function otherMethods(server: MemoryServer): Resources {
  const { variables, artifacts } = server;
  const { blocks } = server.options;
  const writeVariable = (name: string, value: unknown): void => void variables.set(name, value);
  return {
    events: {
      create: (events: readonly Parameters<MemoryServer["take"]>[0][]) => {
        for (const event of events) server.take(event);
      },
      follow: neverAny,
    },
    artifacts: {
      create(artifact: object) {
        const added = { id: newId(), ...artifact };
        artifacts.push(added);
        return added;
      },
      update(id: string, changes: object) {
        const at = artifacts.findIndex((one) => "id" in one && one.id === id);
        artifacts[at] = { ...artifacts[at], ...changes };
      },
    },
    concurrencyLimits: {
      lease: () => ({ lease_id: newId(), limits: [] }),
      increment: () => [],
    },
    variables: {
      readByName(name: string) {
        if (!variables.has(name)) throw notFound(`the variable ${name}`);
        return { name, value: variables.get(name) };
      },
      create: ({ name, value }: { readonly name: string; readonly value: unknown }) =>
        writeVariable(name, value),
      updateByName: (name: string, { value }: { readonly value: unknown }) =>
        writeVariable(name, value),
      deleteByName: (name: string) => void variables.delete(name),
    },
    blockDocuments: {
      readByName(type: string, name: string) {
        const data = blocks[`${type}/${name}`];
        if (data === undefined) throw notFound(`the block ${type}/${name}`);
        return { id: newId(), name, data };
      },
    },
  };
}

/** Events of others, of which there are none. */
function neverAny(
  _filter: unknown,
  { signal }: { readonly signal: AbortSignal },
): AsyncIterable<never> {
  const next = (): Promise<IteratorResult<never>> =>
    new Promise((resolve) => {
      const end = (): void => resolve({ done: true, value: undefined });
      signal.addEventListener("abort", end, { once: true });
    });
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function notFound(what: string): ApiError {
  const detail = `This test has not ${what}`;
  const place = { method: "GET", url: "test:" };
  const none = { problems: [], requestId: null, retryAfterMs: null, body: null };
  return new ApiError({ status: 404, detail, ...place, ...none });
}
