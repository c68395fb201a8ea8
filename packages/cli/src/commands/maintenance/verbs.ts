import type { MaintenanceWindow } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { findNamed } from "../../io/find-named.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { dim, yellow } from "../../output/style.ts";
import { formatDuration, timeAgo } from "../../output/time.ts";

export function listMaintenanceWindowsCommand(): Command {
  return leaf()
    .option("--active", "only what takes place at present")
    .addHelpText("after", examples("maintenance ls", "maintenance ls --active"))
    .action(async ({ active }: { readonly active?: true }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.uptime.maintenance.each(active ? { active: true } : {}));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "State", cell: stateOf },
          { title: "For", cell: targetsOf },
          { title: "When", cell: whenOf },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There is no such maintenance: `orchestrator maintenance create NAME --all --for 1h` begins one",
      });
    });
}

export function inspectMaintenanceWindowCommand(): Command {
  return leaf()
    .argument("<maintenance>", "its name or its id")
    .addHelpText("after", examples("maintenance inspect 'Nightly backup'"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const window = await findWindow(session, name);
      printOne(session, window, {
        Name: window.name,
        About: window.description,
        State: stateOf(window),
        For: targetsOf(window),
        Monitors: window.monitor_ids.join(", ") || null,
        When: whenOf(window),
        Now: window.current && `${window.current.start} to ${window.current.end}`,
        Next: window.next && `${window.next.start} to ${window.next.end}`,
        Id: window.id,
      });
    });
}

export function finishMaintenanceWindowCommand(): Command {
  return leaf()
    .argument("<maintenance>", "its name or its id")
    .addHelpText("after", examples("maintenance finish Upgrade"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findWindow(session, name);
      const window = await session.uptime.maintenance.finish(id);
      printDone(session, `Finished ${window.name}: it is watched again`, window);
    });
}

export function deleteMaintenanceWindowCommand(): Command {
  return deleteCommand({
    argument: ["<maintenance>", "its name or its id"],
    example: "maintenance delete Upgrade",
    find: findWindow,
    describe: ({ name }) => `the maintenance ${name}`,
    deleteRow: ({ uptime }, { id }) => uptime.maintenance.delete(id),
  });
}

function findWindow({ uptime }: CliSession, name: string): Promise<MaintenanceWindow> {
  return findNamed(
    {
      what: "maintenance",
      read: (id) => uptime.maintenance.read(id),
      each: () => uptime.maintenance.each(),
    },
    name,
  );
}

function stateOf({ active, enabled, next }: MaintenanceWindow): string {
  if (active) return yellow("takes place");
  if (!enabled) return dim("disabled");
  return next === null ? dim("over") : `begins ${timeAgo(next.start)}`;
}

function targetsOf({ all_monitors, tags, monitor_ids }: MaintenanceWindow): string {
  if (all_monitors) return "all monitors";
  const parts = tags.length > 0 ? [`tagged ${tags.join(", ")}`] : [];
  if (monitor_ids.length > 0) parts.push(`${monitor_ids.length} monitors`);
  return parts.join(" and ");
}

const whenOf = ({ schedule, timezone, duration, starts_at, ends_at }: MaintenanceWindow): string =>
  schedule === null
    ? `${starts_at} to ${ends_at}`
    : `${schedule} (${timezone}) for ${formatDuration(duration ?? 0)}`;
