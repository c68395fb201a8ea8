import type { Deployment, DeploymentFlowRunCreate, JsonObject } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { findDeployment } from "../../io/find.ts";
import { jsonObject, moment, pair, parseDuration, several } from "../../io/options.ts";
import { printDone, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";

interface Options {
  readonly param?: JsonObject;
  readonly params?: JsonObject;
  readonly startIn?: number;
  readonly startAt?: string;
  readonly tag: readonly string[];
  readonly jobVariable?: JsonObject;
  readonly name?: string;
  readonly watch?: true;
}

export function runDeploymentCommand(): Command {
  return leaf()
    .argument("<deployment>", "flow/deployment, or its id")
    .option("-p, --param <name=value>", "a parameter, as JSON or a text; may be repeated", pair)
    .option("--params <json>", "parameters as a JSON object; - or @file to read it", jsonObject)
    .option("--start-in <time>", "run it after so long, such as 10m", parseDuration)
    .addOption(
      new Option("--start-at <time>", "run it at a time, such as 2026-11-15T09:00")
        .argParser(moment)
        .conflicts("startIn"),
    )
    .option("--tag <tag>", "a tag of the run; may be repeated", several, [])
    .option("--job-variable <name=value>", "fills the pool's template; may be repeated", pair)
    .option("--name <name>", "the name of the run")
    .option("--watch", "follow the run to its end; exit code 0 when it completed, else 1")
    .addHelpText(
      "after",
      examples(
        "deployment run hello/local --watch",
        "deployment run etl/nightly --param day=2026-11-14 --param dry_run=true",
        `deployment run etl/nightly --params '{"regions": ["eu", "us"]}' --start-in 2h`,
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const { client } = session;
      const deployment = await findDeployment(session, name);
      requireKnownParameters(deployment, options);
      const made = await client.deployments.createFlowRun(deployment.id, runOf(options));
      const when = made.expected_start_time;
      const isLater = when !== null && Date.parse(when) - Date.now() > 1000;
      const text = `Made the flow run ${made.name} (${made.id})${isLater ? `, due ${timeAgo(when)}` : ""}`;
      if (options.watch) {
        if (!session.json) say(text);
        const { watchRun } = await import("../flow-run/watch-run.ts");
        return watchRun(session, made);
      }
      printDone(session, text, made);
      if (!session.json) say(`Follow it with: orchestrator flow-run watch ${made.id}`);
    });
}

function runOf(options: Options): DeploymentFlowRunCreate {
  const { param, params, startIn, startAt, tag, jobVariable, name } = options;
  const due =
    startAt ?? (startIn === undefined ? null : new Date(Date.now() + startIn * 1000).toISOString());
  return {
    parameters: { ...params, ...param },
    ...(due !== null && {
      state: { type: "SCHEDULED" as const, state_details: { scheduled_time: due } },
    }),
    ...(tag.length > 0 && { tags: [...tag] }),
    ...(jobVariable !== undefined && { job_variables: jobVariable }),
    ...(name !== undefined && { name }),
  };
}

/** A misspelt name is told as one; whether the values fit is for the server to say. */
function requireKnownParameters(deployment: Deployment, { param, params }: Options): void {
  const schema = deployment.parameter_openapi_schema;
  const known = Object.keys((schema?.["properties"] as object | undefined) ?? {});
  if (known.length === 0 || !deployment.enforce_parameter_schema) return;
  if (schema?.["additionalProperties"] === true) return;
  const unknown = Object.keys({ ...params, ...param }).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = suggestion(unknown, known) || ` It takes ${known.join(", ")}.`;
  throw new UsageError(`${deployment.name} has no parameter ${unknown}.${hint}`);
}
