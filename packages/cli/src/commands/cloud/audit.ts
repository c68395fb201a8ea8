import { createWriteStream } from "node:fs";
import type { AuditEntry, AuditPage, Me } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { printRows, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";
import { AUDIT_RESULT_CHOICES } from "./choices.ts";
import {
  type CloudServer,
  chosenWorkspace,
  cloudGet,
  cloudSend,
  listKeyWorkspaces,
  serverOf,
} from "./cloud-server.ts";

interface Filters {
  readonly actor?: string;
  readonly operation?: string;
  readonly resource?: string;
  readonly workspace?: string;
  readonly result?: string;
  readonly since?: string;
  readonly until?: string;
}

const filtered = (command: Command): Command =>
  command
    .option("--actor <id>", "only of this user or service account")
    .option("--operation <name>", "only this operation, such as createVariable")
    .option("--resource <id>", "only what was done to this, by its id or name")
    .option("--workspace <handle>", "only in this workspace")
    .addOption(new Option("--result <result>", "only what ended so").choices(AUDIT_RESULT_CHOICES))
    .option("--since <time>", "not before this, such as 2026-11-15T00:00:00Z")
    .option("--until <time>", "before this");

async function selectionOf(server: CloudServer, given: Filters) {
  const { actor, operation, resource, workspace, result, since, until } = given;
  const workspace_id =
    workspace === undefined
      ? undefined
      : chosenWorkspace(await listKeyWorkspaces(server), workspace).workspace_id;
  const wanted = { actor_id: actor, operation, resource_id: resource, workspace_id };
  const named = Object.entries({ ...wanted, result, since, until });
  return Object.fromEntries(
    named.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function auditPath(server: CloudServer): Promise<string> {
  const { account_id } = await cloudGet<Me>(server, "/me");
  return `/accounts/${account_id}/audit`;
}

const PAGE = 200;
const DEFAULT_LIMIT = 50;

export function listAuditEntriesCommand(): Command {
  return filtered(leaf())
    .option("--limit <n>", "at most so many", parseWholeNumber(1), DEFAULT_LIMIT)
    .addHelpText("after", examples("cloud audit ls --result refused", "cloud audit ls --json"))
    .action(async ({ limit, ...filters }: Filters & { limit: number }, command: Command) => {
      const server = serverOf(command);
      const selection = await selectionOf(server, filters);
      const path = `${await auditPath(server)}/filter`;
      const entries: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const rest = { limit: Math.min(PAGE, limit - entries.length), ...(cursor && { cursor }) };
        const body = { ...selection, ...rest };
        const page: AuditPage = await cloudGet<AuditPage>(server, path, { method: "POST", body });
        entries.push(...page.entries);
        cursor = page.next_cursor;
      } while (cursor !== null && entries.length < limit);
      printRows(sessionOf(command), entries, {
        columns: [
          { title: "When", cell: ({ occurred }) => timeAgo(occurred) },
          { title: "Who", cell: ({ actor_name: name }) => name },
          { title: "Key", cell: ({ api_key_prefix: prefix }) => prefix },
          { title: "What", cell: ({ operation }) => operation },
          { title: "To", cell: ({ resource_id, resource_name }) => resource_name ?? resource_id },
          { title: "Result", cell: ({ result, status }) => `${result} ${status ?? ""}`.trim() },
          { title: "From", cell: ({ address }) => address },
        ],
        none: "There are no entries",
      });
    });
}

export function exportAuditCommand(): Command {
  return filtered(leaf())
    .option("-f, --file <path>", "where to write it; the standard output unless given")
    .addHelpText("after", examples("cloud audit export --since 2026-11-01T00:00:00Z -f audit.csv"))
    .action(async ({ file, ...filters }: Filters & { file?: string }, command: Command) => {
      const server = serverOf(command);
      const selection = new URLSearchParams(await selectionOf(server, filters));
      const { body } = await cloudSend(
        server,
        `${await auditPath(server)}/export?${selection.toString()}`,
      );
      if (body === null) return;
      const { Readable } = await import("node:stream");
      const { pipeline } = await import("node:stream/promises");
      const lines = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
      if (file === undefined) {
        await pipeline(lines, process.stdout, { end: false });
        return;
      }
      await pipeline(lines, createWriteStream(file)).catch((error: Error) => {
        throw new UsageError(`${file} cannot be written: ${error.message}`);
      });
      say(`Wrote ${file}`);
    });
}
