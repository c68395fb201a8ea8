import type { Env, SettingType, SettingValue } from "./setting-types.ts";

/**
 * One setting, defined once: reading it, the errors about it, the reference and the view all come
 * from here.
 */
export interface Setting<T extends SettingValue | null> {
  readonly kind: "setting";
  /** The environment variable. */
  readonly name: string;
  /** One sentence on what it means. */
  readonly summary: string;
  readonly secret: boolean;
  readonly expected: string;
  /** The default as the reference shows it, the same on every machine; null when there is none. */
  readonly defaultText: string | null;
  readonly parse: (text: string, env: Env) => T | undefined;
  readonly defaultValue: (env: Env) => T;
}

/** Settings by key; groups nest, and the values have the same shape. */
export interface SettingGroup {
  readonly [key: string]: Setting<SettingValue | null> | SettingGroup;
}

interface SettingOptions<T extends SettingValue> {
  readonly name: string;
  readonly type: SettingType<T>;
  readonly summary: string;
  readonly secret?: boolean;
}

interface FixedDefault<T> {
  readonly default: T;
}

interface ComputedDefault<T> {
  readonly default: (env: Env) => T;
  /** What the reference says, since the value differs between machines. */
  readonly defaultText: string;
}

interface NoDefault {
  readonly default?: null | undefined;
}

type SettingDefault<T> = FixedDefault<T> | ComputedDefault<T> | NoDefault;

/** A setting without a default is optional: its value is null where nobody sets it. */
export function setting<T extends SettingValue>(
  options: SettingOptions<T> & (FixedDefault<NoInfer<T>> | ComputedDefault<NoInfer<T>>),
): Setting<T>;
export function setting<T extends SettingValue>(
  options: SettingOptions<T> & NoDefault,
): Setting<T | null>;
export function setting<T extends SettingValue>(
  options: SettingOptions<T> & SettingDefault<T>,
): Setting<T | null> {
  const { name, type, summary, secret = false } = options;
  const base = { kind: "setting", name, summary, secret, expected: type.expected } as const;
  const given = options.default;
  if (given === null || given === undefined) {
    return { ...base, parse: type.parse, defaultText: null, defaultValue: () => null };
  }
  if (typeof given === "function") {
    const defaultText = "defaultText" in options ? options.defaultText : null;
    return { ...base, parse: type.parse, defaultText, defaultValue: given };
  }
  return {
    ...base,
    parse: type.parse,
    defaultText: type.format(given),
    defaultValue: () => given,
  };
}

export function isSetting(
  node: Setting<SettingValue | null> | SettingGroup,
): node is Setting<SettingValue | null> {
  return node.kind === "setting";
}

/** Every setting of the group and of the groups in it, in the order of definition. */
export function listSettings(group: SettingGroup): readonly Setting<SettingValue | null>[] {
  return Object.values(group).flatMap((node) => (isSetting(node) ? [node] : listSettings(node)));
}
