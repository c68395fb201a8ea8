import type { Deployment, DeploymentSchedule } from "@orchestrator/contract";
import type { CliSession } from "../../../io/session.ts";
import { suggestion } from "../../../output/alike.ts";
import { UsageError } from "../../../output/fail.ts";

/** A schedule of a deployment by its id or its slug. */
export async function findSchedule(
  { client }: CliSession,
  deployment: Deployment,
  which: string,
): Promise<DeploymentSchedule> {
  const schedules = await client.deployments.listSchedules(deployment.id);
  const found = schedules.find(({ id, slug }) => id === which.toLowerCase() || slug === which);
  if (found !== undefined) return found;
  const names = schedules.map(({ id, slug }) => slug ?? id);
  const hint = suggestion(which, names) || ` It has ${names.join(", ") || "none"}.`;
  throw new UsageError(`${deployment.name} has no schedule ${which}.${hint}`);
}
