import type { WorkspaceQuotas } from "@orchestrator/contract";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printDone, printOne } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import {
  chosenWorkspace,
  cloudGet,
  fullHandle,
  listKeyWorkspaces,
  serverOf,
} from "./cloud-server.ts";

const HANDLE = ["<handle>", "account/workspace, or the workspace alone"] as const;

async function found(command: Command, handle: string) {
  const server = serverOf(command);
  const workspace = chosenWorkspace(await listKeyWorkspaces(server), handle);
  const { account_id, workspace_id } = workspace;
  return { server, workspace, path: `/accounts/${account_id}/workspaces/${workspace_id}` };
}

export function deleteWorkspaceCommand(): Command {
  return leaf()
    .argument(...HANDLE)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("cloud workspace delete shop"))
    .action(async (handle: string, { yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { server, workspace, path } = await found(command, handle);
      const named = fullHandle(workspace);
      const question = `Delete the workspace ${named} and everything in it?`;
      await confirmOrFail(session, { question, yes });
      const meant = encodeURIComponent(workspace.workspace_handle);
      await cloudGet(server, `${path}?handle=${meant}`, { method: "DELETE" });
      printDone(session, `Deleted the workspace ${named}`, { deleted: workspace.workspace_id });
    });
}

interface QuotaOptions {
  readonly runsPerDay?: number;
  readonly eventsPerDay?: number;
  readonly runsStored?: number;
  readonly storage?: number;
  readonly none?: true;
}

export function quotasCommand(): Command {
  const amount = parseWholeNumber(0);
  return leaf()
    .argument(...HANDLE)
    .option("--runs-per-day <n>", "flow runs made a day", amount)
    .option("--events-per-day <n>", "events received a day", amount)
    .option("--runs-stored <n>", "flow runs that are there", amount)
    .option("--storage <bytes>", "what its rows take, without indexes", amount)
    .option("--none", "any amount of everything that is not given")
    .addHelpText("after", examples("cloud workspace quotas shop --runs-per-day 1000"))
    .action(async (handle: string, options: QuotaOptions, command: Command) => {
      const { server, path } = await found(command, handle);
      const before = await cloudGet<WorkspaceQuotas>(server, `${path}/quotas`);
      const given = {
        runs_per_day: options.runsPerDay,
        events_per_day: options.eventsPerDay,
        runs_stored: options.runsStored,
        storage_bytes: options.storage,
      };
      const changes = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      );
      if (Object.keys(changes).length > 0 || options.none) {
        const body = options.none ? changes : { ...before.quotas, ...changes };
        await cloudGet(server, `${path}/quotas`, { method: "PUT", body });
      }
      const now = await cloudGet<WorkspaceQuotas>(server, `${path}/quotas`);
      printOne(sessionOf(command), now, factsOf(now));
    });
}

function factsOf({ effective, usage }: WorkspaceQuotas): Readonly<Record<string, string>> {
  const of = (used: number | null, limit: number | null): string =>
    `${used ?? "not measured"} of ${limit ?? "any number"}`;
  return {
    "Runs today": of(usage.runs_per_day, effective.runs_per_day),
    "Events today": of(usage.events_per_day, effective.events_per_day),
    "Stored runs": of(usage.runs_stored, effective.runs_stored),
    "Bytes of storage": of(usage.storage_bytes, effective.storage_bytes),
    "The day ends": usage.resets,
  };
}
