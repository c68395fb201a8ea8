// The command line as people use it: the built command, against a server in a process of its own.

import { createClient, type OrchestratorClient } from "@orchestrator/client";
import {
  type CommandProcess,
  type FinishedCommand,
  launchCommand,
  runCommand,
  type ServerEnv,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface CliWorld extends AsyncDisposable {
  readonly client: OrchestratorClient;
  /** A folder of its own. */
  readonly folder: string;
  readonly env: ServerEnv;
  /** Runs the command to its end. */
  readonly run: (...args: readonly string[]) => Promise<FinishedCommand>;
  /** What the command prints with --json. */
  readonly json: <Value>(...args: readonly string[]) => Promise<Value>;
  /** Begins the command and lets it run. */
  readonly start: (...args: readonly string[]) => CommandProcess;
}

export async function openCli(): Promise<CliWorld> {
  const data = await temporaryFolder();
  const own = await temporaryFolder();
  const server = await startReadyServer({ home: data.path });
  const url = `${server.url}/api`;
  const env = { ORCHESTRATOR_API_URL: url, ORCHESTRATOR_HOME: own.path };
  const run = (...args: readonly string[]) => runCommand(args, env);
  return {
    client: createClient({ url }),
    folder: own.path,
    env,
    run,
    async json<Value>(...args: readonly string[]) {
      const { stdout, stderr, code } = await run(...args, "--json");
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stderr}`);
      return JSON.parse(stdout) as Value;
    },
    start: (...args) => launchCommand(args, env),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

/** A deployment that nobody serves, with a schema that knows one parameter. */
export async function createCliDeployment(
  { client }: CliWorld,
  fields: { readonly flow?: string; readonly name?: string } = {},
): Promise<string> {
  const { flow = "etl", name = "nightly" } = fields;
  const { id: flow_id } = await client.flows.create({ name: flow });
  const { id } = await client.deployments.create({
    name,
    flow_id,
    enforce_parameter_schema: true,
    parameter_openapi_schema: {
      type: "object",
      properties: { day: { type: "string" } },
      additionalProperties: false,
    },
  });
  return id;
}

/** Takes a run to a state, as whoever carries it out would. */
export async function moveRun(
  { client }: CliWorld,
  id: string,
  ...types: readonly ("PENDING" | "RUNNING" | "COMPLETED" | "FAILED")[]
): Promise<void> {
  for (const type of types) {
    const { status } = await client.flowRuns.setState(id, { state: { type } });
    if (status !== "ACCEPT") throw new Error(`${type} was not accepted`);
  }
}
