// What people call a thing: an id, or a name. Where there is no such thing, the answer names those
// that are nearly called so.

import type { Deployment, Flow, FlowRun } from "@orchestrator/contract";
import { suggestion } from "../output/alike.ts";
import { UsageError } from "../output/fail.ts";
import { ambiguousName } from "./ambiguous-name.ts";
import { collect } from "./collect.ts";
import { isApiError } from "./passing.ts";
import type { CliSession } from "./session.ts";

const ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const NOT_THERE = 404;
const MOST_NAMES = 1000;
const MOST_NAMESAKES = 20;

export const isUuid = (text: string): boolean => ID.test(text);

/** What the answer is; null where the server says that there is no such thing. */
export async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (isApiError(error) && error.status === NOT_THERE) return null;
    throw error;
  }
}

/** The thing, or an error that says what else there is. */
export async function found<Value>(
  answer: Promise<Value>,
  { what, name, names }: NotFound,
): Promise<Value> {
  const value = await orNull(answer);
  if (value !== null) return value;
  throw await notFound({ what, name, names });
}

interface NotFound {
  readonly what: string;
  readonly name: string;
  readonly names: () => AsyncIterable<{ readonly name: string }>;
}

async function notFound({ what, name, names }: NotFound): Promise<UsageError> {
  const others = (await collect(names())).map((row) => row.name);
  const hint =
    suggestion(name, others) || ` \`orchestrator ${what.replace(" ", "-")} ls\` lists them.`;
  return new UsageError(`There is no ${what} ${name}.${hint}`);
}

export function findFlow({ client }: CliSession, name: string): Promise<Flow> {
  const answer = isUuid(name) ? client.flows.read(name) : client.flows.readByName(name);
  return found(answer, {
    what: "flow",
    name,
    names: () => client.flows.each({ limit: MOST_NAMES, sort: "CREATED_DESC" }),
  });
}

/** A deployment by `flow/deployment` or its id. */
export async function findDeployment(session: CliSession, name: string): Promise<Deployment> {
  const { client } = session;
  const at = name.lastIndexOf("/");
  const answer =
    at > 0 && at < name.length - 1
      ? client.deployments.readByName(name.slice(0, at), name.slice(at + 1))
      : isUuid(name)
        ? client.deployments.read(name)
        : Promise.resolve(null);
  const deployment = await orNull(answer);
  if (deployment !== null) return deployment;
  const known = await collect(client.deployments.each({ limit: MOST_NAMES, sort: "NAME_ASC" }));
  const names = [...(await deploymentNames(session, known)).values()];
  const hint = suggestion(name, names) || " `orchestrator deployment ls` lists them.";
  const form = at > 0 || isUuid(name) ? "" : " A deployment is named as flow/deployment.";
  throw new UsageError(`There is no deployment ${name}.${form}${hint}`);
}

/** `flow/deployment` of each, by the id of the deployment. */
export async function deploymentNames(
  session: CliSession,
  deployments: readonly Deployment[],
): Promise<Map<string, string>> {
  const flows = await flowNamesById(
    session,
    deployments.map((deployment) => deployment.flow_id),
  );
  return new Map(
    deployments.map(({ id, flow_id, name }) => [id, `${flows.get(flow_id) ?? flow_id}/${name}`]),
  );
}

/** The same of those with these ids, as far as they are there. */
export async function deploymentNamesById(
  session: CliSession,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const { deployments } = session.client;
  const found = await collect(deployments.each({ deployments: { id: { any_: wanted } } }));
  return deploymentNames(session, found);
}

/** The names of flows, by their ids. */
export async function flowNamesById(
  { client }: CliSession,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const flows = await collect(client.flows.each({ flows: { id: { any_: wanted } } }));
  return new Map(flows.map(({ id, name }) => [id, name]));
}

/** A flow run by its id or, where that is unambiguous, by its name. */
export async function findFlowRun({ client }: CliSession, name: string): Promise<FlowRun> {
  if (isUuid(name)) {
    const run = await orNull(client.flowRuns.read(name));
    if (run !== null) return run;
  }
  const runs = await client.flowRuns.list({
    flow_runs: { name: { any_: [name] } },
    sort: "CREATED_DESC",
    limit: MOST_NAMESAKES,
  });
  const [run, ...others] = runs;
  if (run === undefined) {
    const latest = () => client.flowRuns.each({ sort: "CREATED_DESC", limit: MOST_NAMES });
    throw await notFound({ what: "flow run", name, names: latest });
  }
  if (others.length === 0) return run;
  throw ambiguousName({ what: "flow run", name }, runs);
}
