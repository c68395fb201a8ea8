import type { JsonObject } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { duration, pair, several, wholeNumber } from "../../io/options.ts";
import { say } from "../../io/print.ts";
import { useProfile } from "../../io/use-profile.ts";

interface Options {
  readonly name: string;
  readonly cron?: string;
  readonly interval?: number;
  readonly rrule?: string;
  readonly timezone?: string;
  readonly param?: JsonObject;
  readonly tag: readonly string[];
  readonly limit?: number;
  readonly pauseOnStop: boolean;
}

export function serve(): Command {
  return leaf("serve", "Make a deployment of a flow and execute its runs in this process")
    .argument("<file:flow>", "where the flow is")
    .requiredOption("-n, --name <name>", "the name of the deployment")
    .option("--cron <expression>", "when to run it")
    .addOption(
      new Option("--interval <time>", "how often to run it, such as 10m")
        .argParser(duration)
        .conflicts("cron"),
    )
    .addOption(new Option("--rrule <rule>", "when to run it").conflicts(["cron", "interval"]))
    .option("--timezone <zone>", "of the schedule, such as Europe/Paris")
    .option("--param <name=value>", "a parameter of its runs; may be repeated", pair)
    .option("--tag <tag>", "may be repeated", several, [])
    .option("--limit <count>", "how many runs are executed at once", wholeNumber(1))
    .option("--no-pause-on-stop", "leave the schedules active when it is stopped")
    .addHelpText(
      "after",
      examples(
        "flow serve flows/hello.mjs:hello --name local",
        "flow serve flows/hello.mjs -n nightly --cron '0 2 * * *'",
      ),
    )
    .action(async (entrypoint: string, options: Options, command: Command) => {
      useProfile(command);
      const { loadFlow, serveFlow } = await import("@orchestrator/sdk");
      const definition = await loadFlow(entrypoint, process.cwd());
      const served = await serveFlow(definition, {
        name: options.name,
        ...(options.cron !== undefined && { cron: options.cron }),
        ...(options.interval !== undefined && { intervalSeconds: options.interval }),
        ...(options.rrule !== undefined && { rrule: options.rrule }),
        ...(options.timezone !== undefined && { timezone: options.timezone }),
        ...(options.param !== undefined && { parameters: options.param }),
        ...(options.limit !== undefined && { limit: options.limit }),
        tags: options.tag,
        pauseOnStop: options.pauseOnStop,
      });
      const name = `${definition.name}/${options.name}`;
      say(`Serving ${name} until Ctrl-C. Run it with: orchestrator deployment run ${name}`);
      await served.finished;
    });
}
