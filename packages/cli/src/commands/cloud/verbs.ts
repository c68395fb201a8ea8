import type { Workspace } from "@orchestrator/contract";
import type { Command } from "commander";
import { askSecret } from "../../io/ask-secret.ts";
import { clientLibrary } from "../../io/client-library.ts";
import { examples, leaf } from "../../io/command.ts";
import { printDone, printRows, say } from "../../io/print.ts";
import { secretFromFile } from "../../io/secret-file.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { green } from "../../output/style.ts";
import {
  baseOf,
  chosenWorkspace,
  cloudGet,
  fullHandle,
  listKeyWorkspaces,
  profileOf,
  serverOf,
  useWorkspace,
} from "./cloud-server.ts";
import { keyByPassword } from "./password-login.ts";

interface LoginOptions {
  readonly key?: string;
  readonly email?: string;
  readonly passwordFile?: string;
  readonly workspace?: string;
  readonly url?: string;
}

export function cloudLoginCommand(): Command {
  return leaf()
    .option("-k, --key <key>", "the API key; asked for when left out")
    .option("--email <email>", "make a key with an email and a password instead")
    .option("--password-file <path>", "read the password from there, - for stdin")
    .option("-w, --workspace <handle>", "account/workspace; needed where there are several")
    .option("--url <address>", "the API of the server; default: that of the profile in use")
    .addHelpText(
      "after",
      examples(
        "cloud login --key orc_… --workspace default/shop",
        "cloud login --email ada@example.com",
      ),
    )
    .action(async (options: LoginOptions, command: Command) => {
      const session = sessionOf(command);
      const url = options.url === undefined ? serverOf(command).url : baseOf(options.url);
      const { key, workspace } =
        options.email === undefined
          ? await keyAsGiven(session, options, url)
          : await keyByPassword({
              url,
              email: options.email,
              password: await passwordAsGiven(session, options),
              workspace: options.workspace,
            });
      const profile = useWorkspace(command, { url, key }, workspace);
      const text = `Logged in; the profile ${profile} uses the workspace ${fullHandle(workspace)}`;
      printDone(session, text, { profile, ...workspace });
      sayWhatWins();
    });
}

async function keyAsGiven(
  session: CliSession,
  { key: given, workspace }: LoginOptions,
  url: string,
) {
  const instead = "give it with --key";
  const key = given ?? (await askSecret(session, { question: "API key", instead }));
  return { key, workspace: chosenWorkspace(await listKeyWorkspaces({ url, key }), workspace) };
}

function passwordAsGiven(session: CliSession, { passwordFile }: LoginOptions): Promise<string> {
  const instead = "give it with --password-file";
  return passwordFile === undefined
    ? askSecret(session, { question: "Password", instead })
    : Promise.resolve(secretFromFile(passwordFile));
}

export function cloudLogoutCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud logout"))
    .action((_: unknown, command: Command) => {
      const { profile } = clientLibrary().resolveConfig({ profile: profileOf(command) });
      const stored = clientLibrary().readProfiles();
      const { ORCHESTRATOR_API_KEY: _key, ...rest } = stored.profiles[profile] ?? {};
      const url = rest.ORCHESTRATOR_API_URL;
      const settings = url === undefined ? rest : { ...rest, ORCHESTRATOR_API_URL: baseOf(url) };
      clientLibrary().writeProfiles({
        ...stored,
        profiles: { ...stored.profiles, [profile]: settings },
      });
      printDone(sessionOf(command), `Logged out of the profile ${profile}`, { profile });
    });
}

export function listWorkspacesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("cloud workspace ls"))
    .action(async (_: unknown, command: Command) => {
      const server = serverOf(command);
      printRows(sessionOf(command), await listKeyWorkspaces(server), {
        columns: [
          {
            title: "",
            cell: ({ workspace_id }) => (workspace_id === server.workspaceId ? green("*") : " "),
          },
          { title: "Workspace", cell: fullHandle },
          { title: "Name", cell: ({ workspace_name }) => workspace_name },
          { title: "Id", cell: ({ workspace_id }) => workspace_id },
        ],
        none: "The key is good for no workspace",
      });
    });
}

export function createWorkspaceCommand(): Command {
  return leaf()
    .argument("<handle>", "lower-case letters, digits and dashes")
    .option("--name <name>", "as people call it; default: the handle")
    .option("--description <text>", "what it is for")
    .addHelpText("after", examples('cloud workspace create shop --name "The shop"'))
    .action(
      async (
        handle: string,
        { name = handle, description = "" }: { name?: string; description?: string },
        command: Command,
      ) => {
        const server = serverOf(command);
        const { account_id } = await cloudGet<{ readonly account_id: string }>(server, "/me");
        const body = { name, handle, description };
        const path = `/accounts/${account_id}/workspaces`;
        const made = await cloudGet<Workspace>(server, path, { method: "POST", body });
        const next = `\`orchestrator cloud workspace use ${handle}\` puts it to use`;
        printDone(sessionOf(command), `Created the workspace ${handle}: ${next}`, made);
      },
    );
}

export function useWorkspaceCommand(): Command {
  return leaf()
    .argument("<handle>", "account/workspace, or the workspace alone")
    .addHelpText("after", examples("cloud workspace use default/shop"))
    .action(async (handle: string, _: unknown, command: Command) => {
      const { url, key } = serverOf(command);
      const workspace = chosenWorkspace(await listKeyWorkspaces({ url, key }), handle);
      const profile = useWorkspace(command, { url, key }, workspace);
      const text = `The profile ${profile} uses the workspace ${fullHandle(workspace)} now`;
      printDone(sessionOf(command), text, { profile, ...workspace });
      sayWhatWins();
    });
}

function sayWhatWins(): void {
  for (const name of ["ORCHESTRATOR_API_URL", "ORCHESTRATOR_API_KEY"])
    if (process.env[name]) say(`${name} is set in the environment as well, which wins`);
}
