import type { JsonObject } from "@orchestrator/contract";
import { openSession } from "../report/session.ts";
import type { FlowDefinition } from "../run/flow-run.ts";
import { type DeploymentOptions, putDeployment } from "./deployment.ts";

export interface DeployOptions extends DeploymentOptions {
  /** Whose workers carry out the runs. */
  readonly workPool: string;
  readonly workQueue?: string | undefined;
  /**
   * Where workers find the flow: `flows/report.mjs:report`, a file below `path` and what it
   * exports.
   */
  readonly entrypoint: string;
  /** The folder that workers run it in. @default the current one, or that of `pull` */
  readonly path?: string | undefined;
  /** Steps that bring the code to the worker, such as `{ git_clone: { repository } }`. */
  readonly pull?:
    | readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[]
    | undefined;
  /** What the pool's template is filled with, such as `env` and `working_dir`. */
  readonly jobVariables?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes a deployment for the workers of a pool, or changes the one of the name. */
export async function deployFlow(
  definition: FlowDefinition,
  options: DeployOptions,
): Promise<{ readonly id: string }> {
  const infrastructure = infrastructureOf(options);
  return { id: await putDeployment(openSession(), definition, { options, infrastructure }) };
}

/** Where and how runs are executed, as the server knows it. */
export function infrastructureOf({
  workPool,
  workQueue,
  entrypoint,
  pull,
  path,
  jobVariables,
}: DeployOptions) {
  return {
    work_pool_name: workPool,
    ...(workQueue !== undefined && { work_queue_name: workQueue }),
    ...(jobVariables !== undefined && { job_variables: jobVariables as Record<string, never> }),
    entrypoint,
    path: path ?? (pull === undefined ? process.cwd() : null),
    pull_steps: [...(pull ?? [])] as JsonObject[],
  };
}
