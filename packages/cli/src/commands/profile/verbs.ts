import type { Profiles } from "@orchestrator/client/node";
import type { Command } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { printDone, printOne, printRows, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";
import { green } from "../../output/style.ts";
import { masked } from "../config/masked.ts";

type Settings = Profiles["profiles"][string];

export function listProfilesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("profile ls"))
    .action((_: unknown, command: Command) => {
      const { active, profiles } = clientLibrary().readProfiles();
      const rows = Object.entries(profiles).map(([name, settings]) => ({
        name,
        is_active: name === active,
        url: settings.ORCHESTRATOR_API_URL ?? null,
      }));
      printRows(sessionOf(command), rows, {
        columns: [
          { title: "", cell: ({ is_active }) => (is_active ? green("*") : " ") },
          { title: "Name", cell: ({ name }) => name },
          { title: "Server", cell: ({ url }) => url ?? "this machine" },
        ],
        none: "There are no profiles",
      });
    });
}

export function createProfileCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("--from <profile>", "begin with the settings of another")
    .addHelpText(
      "after",
      examples(
        "profile create staging",
        "-p staging config set ORCHESTRATOR_API_URL=https://staging.example.com/api",
      ),
    )
    .action((name: string, { from }: { readonly from?: string }, command: Command) => {
      const stored = clientLibrary().readProfiles();
      requireFree(stored, name);
      const settings = from === undefined ? {} : settingsOf(stored, from);
      clientLibrary().writeProfiles({
        ...stored,
        profiles: { ...stored.profiles, [name]: settings },
      });
      const text = `Created the profile ${name}: \`orchestrator profile use ${name}\` puts it to use`;
      printDone(sessionOf(command), text, { name });
    });
}

export function useProfileCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("profile use staging"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const stored = clientLibrary().readProfiles();
      settingsOf(stored, name);
      clientLibrary().writeProfiles({ ...stored, active: name });
      printDone(session, `The profile ${name} is in use now`, { active: name });
      if (process.env["ORCHESTRATOR_PROFILE"])
        say("ORCHESTRATOR_PROFILE is set in the environment, which wins");
    });
}

export function inspectProfileCommand(): Command {
  return leaf()
    .argument("[name]", "default: the one in use")
    .option("--show-secrets", "show keys and passwords as they are")
    .addHelpText("after", examples("profile inspect", "profile inspect staging --json"))
    .action(
      (
        given: string | undefined,
        { showSecrets }: { readonly showSecrets?: true },
        command: Command,
      ) => {
        const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
        const name = given ?? profile ?? clientLibrary().resolveConfig().profile;
        const settings = Object.entries(settingsOf(clientLibrary().readProfiles(), name));
        const shown = Object.fromEntries(
          settings.map(([key, value]) => [key, showSecrets ? value : masked(key, value)]),
        );
        printOne(sessionOf(command), { name, settings: shown }, { Profile: name, ...shown });
      },
    );
}

export function renameProfileCommand(): Command {
  return leaf()
    .argument("<name>")
    .argument("<new-name>")
    .addHelpText("after", examples("profile rename staging test"))
    .action((name: string, newName: string, _: unknown, command: Command) => {
      const stored = clientLibrary().readProfiles();
      const settings = settingsOf(stored, name);
      requireFree(stored, newName);
      const profiles = { ...without(stored, name), [newName]: settings };
      clientLibrary().writeProfiles({
        active: stored.active === name ? newName : stored.active,
        profiles,
      });
      printDone(sessionOf(command), `The profile ${name} is called ${newName} now`, {
        name: newName,
      });
    });
}

export function deleteProfileCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("profile delete staging"))
    .action(async (name: string, { yes }: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const stored = clientLibrary().readProfiles();
      settingsOf(stored, name);
      if (stored.active === name) {
        throw new UsageError(
          `The profile ${name} is in use: put another to use first with \`orchestrator profile use NAME\``,
        );
      }
      await confirmOrFail(session, { question: `Delete the profile ${name}?`, yes });
      clientLibrary().writeProfiles({ ...stored, profiles: without(stored, name) });
      printDone(session, `Deleted the profile ${name}`, { deleted: name });
    });
}

const without = ({ profiles }: Profiles, name: string): Record<string, Settings> =>
  Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== name));

function settingsOf({ profiles }: Profiles, name: string): Settings {
  const settings = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (settings !== undefined) return settings;
  const names = Object.keys(profiles);
  const hint = suggestion(name, names) || ` There are ${names.join(", ")}.`;
  throw new UsageError(`There is no profile ${name}.${hint}`);
}

function requireFree({ profiles }: Profiles, name: string): void {
  if (Object.hasOwn(profiles, name)) throw new UsageError(`There is a profile ${name} already`);
}
