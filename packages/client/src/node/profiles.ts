// Profiles are named sets of settings in `profiles.json` of the data folder, one of which is in
// use. The file may hold keys, so only its owner can read it.

import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { CLIENT_SETTINGS, type ClientSettingValues, isClientSetting } from "./client-settings.ts";
import { makePrivateFolder } from "./private-folder.ts";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface Profiles {
  /** The name of the one in use. */
  readonly active: string;
  readonly profiles: Readonly<Record<string, ClientSettingValues>>;
}

/** The profiles cannot be read, or must not be stored so. */
export class ProfilesError extends Error {
  override readonly name = "ProfilesError";
}

const FILE = "profiles.json";
const OWNER_ONLY_FILE = 0o600;
export const DEFAULT_PROFILE = "default";
const NAME = /^[\w.-]{1,100}$/;

/** The data folder: `ORCHESTRATOR_HOME`, or `.orchestrator` in the home folder. */
export function dataFolder(env: EnvironmentVariables = process.env): string {
  const given = env["ORCHESTRATOR_HOME"];
  const own = env["HOME"] || env["USERPROFILE"] || homedir();
  if (given === undefined || given === "") return join(own, ".orchestrator");
  return given === "~" || given.startsWith("~/") ? join(own, given.slice(1)) : resolve(given);
}

export function profilesPath(env: EnvironmentVariables = process.env): string {
  return join(dataFolder(env), FILE);
}

/** The profiles; where there is no file yet, one that says nothing. */
export function readProfiles(env: EnvironmentVariables = process.env): Profiles {
  const path = profilesPath(env);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return { active: DEFAULT_PROFILE, profiles: { [DEFAULT_PROFILE]: {} } };
    }
    throw new ProfilesError(`${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const found = parse(text, path);
  const problem = profilesProblem(found);
  if (problem !== null) throw new ProfilesError(`${path} is not as it should be: ${problem}`);
  return found as Profiles;
}

/** Stores the profiles in the place of those that were there, whole or not at all. */
export function writeProfiles(profiles: Profiles, env: EnvironmentVariables = process.env): void {
  const problem = profilesProblem(profiles) ?? unknownSetting(profiles);
  if (problem !== null) throw new ProfilesError(`These profiles cannot be stored: ${problem}`);
  const path = profilesPath(env);
  makePrivateFolder(dataFolder(env));
  const unfinished = `${path}.${randomUUID()}`;
  const file = openSync(unfinished, "wx", OWNER_ONLY_FILE);
  try {
    try {
      writeSync(file, `${JSON.stringify(profiles, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** What is wrong with profiles, in a sentence; null when nothing is. */
export function profilesProblem(value: unknown): string | null {
  if (!isRecord(value)) return "it must be an object with `active` and `profiles`";
  const { active, profiles } = value;
  if (!isRecord(profiles)) return "`profiles` must be an object of settings by name";
  if (typeof active !== "string") return "`active` must be the name of a profile";
  if (!Object.hasOwn(profiles, active)) return `there is no profile ${JSON.stringify(active)}`;
  for (const [name, settings] of Object.entries(profiles)) {
    const problem = profileProblem(name, settings);
    if (problem !== null) return problem;
  }
  return null;
}

function profileProblem(name: string, settings: unknown): string | null {
  if (!NAME.test(name)) {
    return `the name ${JSON.stringify(name)} must be letters, digits, dots, dashes and underscores`;
  }
  if (!isRecord(settings)) return `the profile ${name} must be an object of texts`;
  for (const [setting, value] of Object.entries(settings)) {
    if (typeof value !== "string") return `${setting} of the profile ${name} must be a text`;
    const problem = isClientSetting(setting) ? CLIENT_SETTINGS[setting].problem(value) : null;
    if (problem !== null) return `${setting} of the profile ${name} ${problem}`;
  }
  return null;
}

/** A file may hold settings of a later version; but nobody is to misspell one today. */
function unknownSetting({ profiles }: Profiles): string | null {
  for (const [name, settings] of Object.entries(profiles)) {
    const unknown = Object.keys(settings).find((setting) => !isClientSetting(setting));
    if (unknown === undefined) continue;
    const known = Object.keys(CLIENT_SETTINGS).join(", ");
    return `the profile ${name} cannot hold ${unknown}, only ${known}`;
  }
  return null;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProfilesError(`${path} is no valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
