import { isSetting, listSettings, type Setting, type SettingGroup } from "./setting.ts";
import type { Env, SettingValue } from "./setting-types.ts";
import { type SettingProblem, SettingsError, settingProblem } from "./settings-error.ts";

export type SettingValues<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T>
    ? T
    : G[K] extends SettingGroup
      ? SettingValues<G[K]>
      : never;
};

/** The keys that lead to a setting, joined by dots: `port`, or `database.url` in a group. */
export type SettingPath<G extends SettingGroup> = {
  [K in keyof G & string]: G[K] extends Setting<SettingValue | null>
    ? K
    : G[K] extends SettingGroup
      ? `${K}.${SettingPath<G[K]>}`
      : never;
}[keyof G & string];

/** A value from the command line, with the flag as it is spelled there. */
export interface SettingOverride {
  readonly flag: string;
  readonly text: string;
}

export type SettingOverrides<G extends SettingGroup> = {
  readonly [P in SettingPath<G>]?: SettingOverride | undefined;
};

export interface Settings<G extends SettingGroup> {
  readonly definitions: G;
  /**
   * The values, frozen; throws one `SettingsError` that names every setting that cannot be used.
   */
  readonly read: (sources: {
    readonly env: Env;
    readonly overrides?: SettingOverrides<G>;
  }) => SettingValues<G>;
}

export function defineSettings<const G extends SettingGroup>(definitions: G): Settings<G> {
  refuseSharedNames(definitions);
  return {
    definitions,
    read({ env, overrides = {} }) {
      const problems: SettingProblem[] = [];
      const given = new Map<string, SettingOverride | undefined>(Object.entries(overrides));
      const values = readGroup(definitions, "", { env, overrides: given, problems });
      if (problems.length > 0) throw new SettingsError(problems);
      // The shape is that of the definitions, key for key, which the compiler cannot follow through
      // the walk.
      return values as SettingValues<G>;
    },
  };
}

interface Reading {
  readonly env: Env;
  readonly overrides: ReadonlyMap<string, SettingOverride | undefined>;
  readonly problems: SettingProblem[];
}

function readGroup(group: SettingGroup, prefix: string, reading: Reading): object {
  const entries = Object.entries(group).map(([key, node]) => {
    const path = prefix + key;
    const value = isSetting(node)
      ? readSetting(node, path, reading)
      : readGroup(node, `${path}.`, reading);
    return [key, Object.freeze(value)] as const;
  });
  return Object.freeze(Object.fromEntries(entries));
}

/**
 * The command line wins over the environment; a variable that is set to nothing counts as not set.
 */
function readSetting(
  setting: Setting<SettingValue | null>,
  path: string,
  { env, overrides, problems }: Reading,
): SettingValue | null {
  const override = overrides.get(path);
  const given = override?.text ?? (env[setting.name] || undefined);
  if (given === undefined) return setting.defaultValue(env);
  const value = setting.parse(given, env);
  if (value !== undefined) return value;
  const source = override
    ? ({ kind: "flag", flag: override.flag } as const)
    : ({ kind: "environment" } as const);
  problems.push(settingProblem(setting, source, given));
  return null;
}

function refuseSharedNames(definitions: SettingGroup): void {
  const seen = new Set<string>();
  for (const { name } of listSettings(definitions)) {
    if (seen.has(name)) throw new Error(`Two settings are both named ${name}`);
    seen.add(name);
  }
}
