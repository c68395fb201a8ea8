import {
  CLIENT_SETTINGS,
  type ClientSettingName,
  isClientSetting,
} from "@orchestrator/client/settings";
import { type Command, Help } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { examples, helpWidth, leaf } from "../../io/command.ts";
import { print, printDone, printJson, say } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { MisuseError } from "../../output/fail.ts";
import { bold, dim } from "../../output/style.ts";
import { masked } from "./masked.ts";

const known = Object.keys(CLIENT_SETTINGS) as ClientSettingName[];

/** Each with what it is for. */
function settingLines(): string[] {
  const help = new Help();
  help.prepareContext({ helpWidth: helpWidth() });
  const longest = Math.max(...known.map((name) => name.length));
  return known.map((name) =>
    help.formatItem(name, longest, CLIENT_SETTINGS[name].description, help),
  );
}

export function setConfigCommand(): Command {
  return leaf()
    .argument("<settings...>", "NAME=value")
    .addHelpText(
      "after",
      `\nSettings:\n${settingLines().join("\n")}\n${examples("config set ORCHESTRATOR_API_URL=http://10.0.0.5:4200/api", "-p staging config set ORCHESTRATOR_API_KEY=…")}`,
    )
    .action((given: readonly string[], _: unknown, command: Command) => {
      const values = given.map((text) => {
        const at = text.indexOf("=");
        if (at <= 0) command.error(`error: ${text} must be NAME=value`, { exitCode: 2 });
        return [nameOf(text.slice(0, at)), text.slice(at + 1)] as const;
      });
      const changes = Object.fromEntries(values);
      const profile = change(command, (before) => ({ ...before, ...changes }));
      const names = Object.keys(changes);
      const inEnvironment = names.filter((name) => process.env[name]);
      printDone(sessionOf(command), `${names.join(", ")} set in the profile ${profile}`, {
        profile,
        set: names,
      });
      for (const name of inEnvironment)
        say(`${name} is set in the environment as well, which wins`);
    });
}

export function unsetConfigCommand(): Command {
  return leaf()
    .argument("<names...>")
    .addHelpText("after", examples("config unset ORCHESTRATOR_API_KEY"))
    .action((given: readonly string[], _: unknown, command: Command) => {
      const names = given.map(nameOf);
      const profile = change(command, (before) =>
        Object.fromEntries(
          Object.entries(before).filter(([name]) => !names.includes(name as ClientSettingName)),
        ),
      );
      printDone(sessionOf(command), `${names.join(", ")} unset in the profile ${profile}`, {
        profile,
        unset: names,
      });
    });
}

interface ViewOptions {
  readonly showSecrets?: true;
  readonly showSources: boolean;
}

export function viewConfigCommand(): Command {
  return leaf()
    .option("--show-secrets", "show keys and passwords as they are")
    .option("--no-show-sources", "do not say where they come from")
    .addHelpText("after", examples("config view", "config view --json"))
    .action(({ showSecrets, showSources }: ViewOptions, command: Command) => {
      const { profile, settings } = clientLibrary().resolveConfig({ profile: profileOf(command) });
      const rows = known.flatMap((name) => {
        const inUse = settings[name];
        if (inUse === undefined) return [];
        return [{ name, ...inUse, value: showSecrets ? inUse.value : masked(name, inUse.value) }];
      });
      if (sessionOf(command).json) {
        return printJson({
          profile,
          settings: Object.fromEntries(
            rows.map(({ name, value, source }) => [name, { value, source }]),
          ),
        });
      }
      print(`${bold("profile")} ${profile}`);
      for (const { name, value, source } of rows)
        print(`${name}=${value}${showSources ? dim(` (${source})`) : ""}`);
      const stored = clientLibrary().readProfiles().profiles[profile] ?? {};
      for (const name of known.filter((one) => stored[one] && settings[one] === undefined))
        say(`${name} of the profile is not used: the environment names another server`);
    });
}

export function validateConfigCommand(): Command {
  return leaf()
    .option("--offline", "do not ask the server")
    .addHelpText("after", examples("config validate", "config validate --offline"))
    .action(async ({ offline }: { readonly offline?: true }, command: Command) => {
      const session = sessionOf(command);
      const { profiles } = clientLibrary().readProfiles();
      const unknown = Object.entries(profiles).flatMap(([name, settings]) =>
        Object.keys(settings)
          .filter((setting) => !isClientSetting(setting))
          .map((setting) => `${setting} of the profile ${name} is not known and not used`),
      );
      const config = clientLibrary().resolveConfig({ profile: profileOf(command) });
      if (!offline) await session.client.server.health();
      for (const warning of unknown) say(warning);
      const { value } = config.settings.ORCHESTRATOR_API_URL;
      const text = offline
        ? "The settings are in order"
        : `The settings are in order, and ${value} answers`;
      printDone(session, text, {
        valid: true,
        warnings: unknown,
        path: clientLibrary().profilesPath(),
      });
    });
}

const profileOf = (command: Command): string | undefined =>
  command.optsWithGlobals<{ readonly profile?: string }>().profile;

type Settings = Readonly<Record<string, string>>;

/** Changes the profile in use, and answers with its name. */
function change(command: Command, make: (before: Settings) => Settings): string {
  const stored = clientLibrary().readProfiles();
  const { profile } = resolveConfigForNames(command);
  const before = (stored.profiles[profile] ?? {}) as Settings;
  clientLibrary().writeProfiles({
    ...stored,
    profiles: { ...stored.profiles, [profile]: make(before) },
  });
  return profile;
}

/** A wrong value in the environment does not keep anybody from changing a profile. */
function resolveConfigForNames(command: Command): { readonly profile: string } {
  const env = { ...process.env };
  for (const name of known) delete env[name];
  return clientLibrary().resolveConfig({ env, profile: profileOf(command) });
}

function nameOf(given: string): ClientSettingName {
  const name = given.toUpperCase();
  if (isClientSetting(name)) return name;
  const hint = suggestion(name, known) || ` There are ${known.join(", ")}.`;
  throw new MisuseError(
    `There is no setting ${given}.${hint} Settings of the server come from its environment: \`orchestrator server settings\`.`,
  );
}
