import type { ApiKey, CreatedApiKey } from "@orchestrator/contract";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { print, printDone, printJson, printRows, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";
import { ROLE_CHOICES } from "./choices.ts";
import {
  type CloudServer,
  chosenWorkspace,
  cloudGet,
  listKeyWorkspaces,
  serverOf,
} from "./cloud-server.ts";

async function keysPath(server: CloudServer): Promise<string> {
  const { account_id } = await cloudGet<{ readonly account_id: string }>(server, "/me");
  return `/accounts/${account_id}/api_keys`;
}

interface CreateOptions {
  readonly role?: string;
  readonly workspace?: string;
  readonly serviceAccount?: string;
  readonly expires?: string;
  readonly requestsPerMinute?: number;
}

export function createApiKeyCommand(): Command {
  return leaf()
    .argument("<name>", "what it is for")
    .addOption(new Option("--role <role>", "default: that of the key in use").choices(ROLE_CHOICES))
    .option("--workspace <handle>", "for one workspace only")
    .option("--service-account <id>", "for a service account")
    .option("--expires <time>", "until when it is good, such as 2027-01-01T00:00:00Z")
    .option(
      "--requests-per-minute <n>",
      "how often it may ask; 0 for any number",
      parseWholeNumber(0),
    )
    .addHelpText("after", examples("cloud api-key create ci --role runner --workspace shop"))
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const server = serverOf(command);
      const { role, workspace, serviceAccount, expires, requestsPerMinute } = options;
      const ids =
        workspace === undefined
          ? {}
          : {
              workspace_ids: [
                chosenWorkspace(await listKeyWorkspaces(server), workspace).workspace_id,
              ],
            };
      const rate = { requests_per_minute: requestsPerMinute };
      const body = { name, role, service_account_id: serviceAccount, expires, ...rate, ...ids };
      const path = await keysPath(server);
      const made = await cloudGet<CreatedApiKey>(server, path, { method: "POST", body });
      if (sessionOf(command).json) return printJson(made);
      print(made.key);
      say("It is shown this once");
    });
}

export function listApiKeysCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud api-key ls"))
    .action(async (_: unknown, command: Command) => {
      const server = serverOf(command);
      printRows(sessionOf(command), await cloudGet<ApiKey[]>(server, await keysPath(server)), {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Begins with", cell: ({ prefix }) => prefix },
          { title: "Role", cell: ({ role }) => role },
          { title: "Workspaces", cell: ({ workspace_ids: ids }) => ids?.length ?? "all" },
          { title: "Expires", cell: ({ expires }) => expires },
          { title: "Last used", cell: ({ last_used: at }) => (at === null ? null : timeAgo(at)) },
          { title: "Id", cell: ({ id }) => id },
        ],
        none: "There are no keys",
      });
    });
}

export function revokeApiKeyCommand(): Command {
  return leaf()
    .argument("<key>", "its id, its name or how it begins")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("cloud api-key revoke ci"))
    .action(async (given: string, { yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const server = serverOf(command);
      const path = await keysPath(server);
      const keys = await cloudGet<ApiKey[]>(server, path);
      const [key, ...others] = keys.filter(({ id, name, prefix }) =>
        [id, name, prefix].includes(given),
      );
      if (key === undefined) throw new UsageError(`There is no key ${given}`);
      if (others.length > 0)
        throw new UsageError(`Several keys are called ${given}: name one by its id`);
      await confirmOrFail(session, {
        question: `Revoke the key ${key.name} (${key.prefix}…)?`,
        yes,
      });
      await cloudGet(server, `${path}/${key.id}`, { method: "DELETE" });
      printDone(session, `Revoked the key ${key.name}`, { revoked: key.id });
    });
}
