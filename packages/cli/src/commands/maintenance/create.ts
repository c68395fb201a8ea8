import type { MaintenanceCreate } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { moment, parseDuration, several } from "../../io/options.ts";
import { printDone } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { monitorIds } from "../monitor/find-monitor.ts";

interface Options {
  readonly all?: true;
  readonly tag: readonly string[];
  readonly monitor: readonly string[];
  readonly start?: string;
  readonly end?: string;
  readonly for?: number;
  readonly cron?: string;
  readonly timezone?: string;
  readonly description?: string;
}

export function createMaintenanceWindowCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("--all", "for all monitors")
    .option("--tag <tag>", "for monitors with this tag; may be repeated", several, [])
    .option("--monitor <monitor>", "for this monitor; may be repeated", several, [])
    .option("--start <time>", "when it begins; now unless given", moment)
    .addOption(new Option("--end <time>", "when it ends").argParser(moment).conflicts("for"))
    .option("--for <time>", "how long it lasts, such as 2h", parseDuration)
    .addOption(
      new Option("--cron <expression>", "when it begins, if it recurs").conflicts(["start", "end"]),
    )
    .option("--timezone <zone>", "of the cron expression, such as Europe/Paris")
    .option("--description <text>", "what is done meanwhile; status pages show it")
    .addHelpText(
      "after",
      examples(
        "maintenance create Upgrade --tag prod --for 1h",
        "maintenance create 'New disks' --monitor Shop --start 2026-12-01T22:00 --end 2026-12-02T02:00",
        "maintenance create 'Nightly backup' --all --cron '30 2 * * *' --for 45m --timezone Europe/Paris",
      ),
    )
    .action(async (name: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      if (!options.all && options.tag.length + options.monitor.length === 0) {
        throw new MisuseError("Say which monitors it is for: --all, --tag or --monitor");
      }
      const window = await session.uptime.maintenance.create({
        name,
        all_monitors: options.all === true,
        tags: [...options.tag],
        monitor_ids: await monitorIds(session, options.monitor),
        ...timesOf(options),
        ...(options.timezone !== undefined && { timezone: options.timezone }),
        ...(options.description !== undefined && { description: options.description }),
      });
      const begins = window.active ? "takes place now" : `begins ${window.next?.start ?? "never"}`;
      printDone(session, `The maintenance ${name} ${begins} (${window.id})`, window);
    });
}

type Times = Pick<MaintenanceCreate, "schedule" | "duration" | "starts_at" | "ends_at">;

function timesOf({ start, end, for: seconds, cron }: Options): Times {
  if (cron !== undefined) {
    if (seconds === undefined) throw new MisuseError("Say how long it lasts each time: --for 1h");
    return { schedule: cron, duration: seconds };
  }
  const starts_at = start ?? new Date().toISOString();
  if (end !== undefined) return { starts_at, ends_at: end };
  if (seconds === undefined) throw new MisuseError("Say when it is over: --for 1h, or --end TIME");
  return { starts_at, ends_at: new Date(Date.parse(starts_at) + seconds * 1000).toISOString() };
}
