import type { SettingValues } from "./define-settings.ts";
import { maskUrlsIn } from "./mask.ts";
import { isSetting, listSettings, type SettingGroup } from "./setting.ts";

export interface SettingRow {
  readonly name: string;
  readonly type: string;
  readonly default: string | null;
  readonly summary: string;
  readonly secret: boolean;
}

export interface SettingsView {
  readonly [key: string]: unknown;
}

const HIDDEN = "********";

export function describeSettings(definitions: SettingGroup): readonly SettingRow[] {
  return listSettings(definitions).map((setting) => ({
    name: setting.name,
    type: setting.expected,
    default: setting.defaultText,
    summary: setting.summary,
    secret: setting.secret,
  }));
}

/** Markdown, the same on every machine, so that a test can tell whether the page is current. */
export function settingsReference(definitions: SettingGroup): string {
  return describeSettings(definitions).map(referenceEntry).join("\n");
}

/** A section and not a table row: each setting can be linked to, and no cell gets too long. */
function referenceEntry(row: SettingRow): string {
  const facts = [
    `- Value: ${row.type}`,
    `- Default: ${row.default === null ? "none" : `\`${row.default}\``}`,
    ...(row.secret ? ["- Secret: never shown or logged"] : []),
  ];
  return `### \`${row.name}\`\n\n${row.summary}\n\n${facts.join("\n")}\n`;
}

/**
 * The values for a reader who may see the configuration and none of its secrets; keys as on the
 * wire.
 */
export function viewSettings<G extends SettingGroup>(
  definitions: G,
  values: SettingValues<G>,
): SettingsView {
  return viewGroup(definitions, values);
}

function viewGroup(group: SettingGroup, values: Readonly<Record<string, unknown>>): SettingsView {
  const entries = Object.entries(group).map(([key, node]) => {
    const value = values[key];
    const shown = isSetting(node)
      ? viewValue(value, node.secret)
      : viewGroup(node, value as Readonly<Record<string, unknown>>);
    return [snakeCase(key), shown] as const;
  });
  return Object.fromEntries(entries);
}

function viewValue(value: unknown, isSecret: boolean): unknown {
  if (value === null) return null;
  if (isSecret) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => viewValue(item, false));
  return typeof value === "string" ? maskUrlsIn(value) : value;
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
