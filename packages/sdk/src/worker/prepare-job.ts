import type { OrchestratorClient } from "@orchestrator/client";
import { resolveConfig } from "@orchestrator/client/node";
import type {
  Deployment,
  FlowRun,
  JsonObject,
  JsonValue,
  State,
  WorkPool,
} from "@orchestrator/contract";
import { MARK_LINES_VARIABLE } from "../logging/marked-lines.ts";
import { connectToServer } from "../report/connection.ts";
import { jobEnvironmentMarker } from "./job-records.ts";
import {
  fillReferences,
  fillVariables,
  mergeVariables,
  referencesIn,
  remainingDefaults,
} from "./job-template.ts";
import type { PullPlan } from "./pull-plan.ts";
import { resolveReference } from "./references.ts";
import { JobError, type JobRunner, type JobTemplate, type WorkerJob } from "./runner.ts";

/** The kernel takes 131,072 bytes of one variable, its name among them. */
const MAX_PARAMETER_BYTES = 100_000;
interface JobSources {
  readonly run: FlowRun;
  /** The state in which the worker has claimed it. */
  readonly claim: State | null;
  readonly deployment: Deployment | null;
  /** Of the name; null where the server is to be asked. */
  readonly pool: WorkPool | null;
  readonly poolName: string;
  readonly runner: JobRunner;
}

/** Everything that is needed to start a run; throws a JobError where that is not to be had. */
export async function prepareJob(sources: JobSources): Promise<WorkerJob> {
  const { run, claim, deployment, pool, poolName, runner } = sources;
  const claimId = claim?.state_details.claim_id ?? null;
  const { client, url } = connectToServer();
  const { base_job_template: given } = pool ?? (await client.workPools.read(poolName));
  const template = isTemplate(given) ? given : runner.template;
  const said = [deployment?.job_variables ?? null, run.job_variables];
  const better = (await runner.betterDefaults?.(remainingDefaults(template, said))) ?? null;
  const variables = mergeVariables(template, [better, ...said]);
  const filled = { ...ownWords(variables), ...fillVariables(template, variables) };
  const configuration = fillReferences(
    filled,
    await resolveReference(client, referencesIn(filled)),
  );
  const command = commandOf(configuration["command"]);
  if (command === null && deployment?.entrypoint == null) {
    throw new JobError(
      "There is nothing to run: the deployment names neither an entrypoint nor a command",
    );
  }
  const reports = configuration["report_states"];
  const isSelfReporting = typeof reports === "boolean" ? !reports : command === null;
  return {
    flowRunId: run.id,
    flowRunName: run.name,
    configuration,
    command,
    env: {
      ...environmentOf(sources, url),
      ...(isSelfReporting && { [MARK_LINES_VARIABLE]: "1" }),
      ...textsOf(configuration["env"]),
      ...jobEnvironmentMarker({ flow_run_id: run.id, claim_id: claimId }),
    },
    folder: deployment?.path ?? null,
    pull: await pullPlanOf(sources, client),
    isSelfReporting,
    claimed: claim === null ? null : claimedAs(run, claim),
  };
}

const claimedAs = (run: FlowRun, state: State): FlowRun => ({
  ...run,
  state,
  state_id: state.id,
  state_type: state.type,
  state_name: state.name,
});

const isTemplate = (template: JsonObject): template is JsonObject & JobTemplate =>
  Object.keys(template).length > 0;

/**
 * What this worker understands whether or not the pool's template has a place for it: those of
 * Prefect's workers have none. Only what gives a job no more rights belongs here, since a place
 * such as that of `privileged` may have been taken out on purpose.
 */
const OWN_WORDS = ["working_dir", "resources", "report_states", "grace_seconds", "isolation"];

function ownWords(variables: JsonObject): JsonObject {
  const given = OWN_WORDS.map((name) => [name, variables[name] ?? null] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

function commandOf(given: JsonValue | undefined): WorkerJob["command"] {
  if (typeof given === "string") return given.trim() === "" ? null : given;
  if (Array.isArray(given) && given.length > 0) return given.map(String);
  if (given === undefined || given === null) return null;
  throw new JobError("`command` must be a line for the shell, or a list of words");
}

/** What a job of any language can go by. */
function environmentOf({ run, deployment }: JobSources, url: string): Record<string, string> {
  const parameters = JSON.stringify(run.parameters);
  const { settings } = resolveConfig();
  const key = settings.ORCHESTRATOR_API_KEY?.value;
  const authString = settings.ORCHESTRATOR_API_AUTH_STRING?.value;
  return {
    ORCHESTRATOR_API_URL: url,
    ...(key !== undefined && { ORCHESTRATOR_API_KEY: key }),
    ...(authString !== undefined && { ORCHESTRATOR_API_AUTH_STRING: authString }),
    ORCHESTRATOR_FLOW_RUN_NAME: run.name,
    ...(Buffer.byteLength(parameters) <= MAX_PARAMETER_BYTES && {
      ORCHESTRATOR_PARAMETERS: parameters,
    }),
    ...(deployment !== null && { ORCHESTRATOR_DEPLOYMENT_ID: deployment.id }),
    ...(deployment?.entrypoint != null && { ORCHESTRATOR_ENTRYPOINT: deployment.entrypoint }),
  };
}

export function textsOf(value: JsonValue | undefined): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const entries = Object.entries(value as JsonObject).flatMap(([name, item]) =>
    item === null ? [] : [[name, typeof item === "string" ? item : JSON.stringify(item)] as const],
  );
  return Object.fromEntries(entries);
}

const FOLDER_STEP = /^(?:(?:prefect|orchestrator)\.deployments\.steps\.)?set_working_directory$/;

/** Blocks, and the environment of the worker. */
const SECRET = /^\w+\.blocks\.|^\$/;

/** What lies in an image is not pulled: such a worker can only change the folder. */
async function pullPlanOf(
  { deployment, runner }: JobSources,
  client: OrchestratorClient,
): Promise<PullPlan | null> {
  const steps = (deployment?.pull_steps ?? []) as JsonObject[];
  if (steps.length === 0) return null;
  const unknown = steps
    .flatMap((step) => Object.keys(step))
    .find((name) => !FOLDER_STEP.test(name));
  if (runner.pullsCode !== true && unknown !== undefined)
    throw new JobError(`The deployment's pull step ${unknown} is none that this worker can do`);
  const values = await resolveReference(client, referencesIn({ steps }));
  const filled = fillReferences({ steps }, values)["steps"] as unknown as JsonObject[];
  const secrets = [...values].flatMap(([name, value]) => (SECRET.test(name) ? [value] : []));
  return { steps: filled, folder: deployment?.path ?? null, secrets };
}
