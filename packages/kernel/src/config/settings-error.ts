import { maskUrl } from "./mask.ts";
import type { Setting } from "./setting.ts";
import type { SettingValue } from "./setting-types.ts";

const SHOWN_CHARACTERS = 100;

export interface SettingProblem {
  readonly name: string;
  /** Where the value came from, spelled as the person wrote it. */
  readonly source: SettingSource;
  /** What was given, quoted; never the value of a secret. */
  readonly given: string;
  readonly expected: string;
}

export type SettingSource =
  | { readonly kind: "environment" }
  | { readonly kind: "flag"; readonly flag: string };

/**
 * Every setting that cannot be used, at once, so that a start needs one correction and not five.
 */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const title =
      problems.length === 1
        ? "One setting cannot be used:"
        : `${problems.length} settings cannot be used:`;
    super([title, ...problems.map((problem) => `  ${describeProblem(problem)}`)].join("\n"));
    this.problems = problems;
  }
}

export function settingProblem(
  setting: Setting<SettingValue | null>,
  source: SettingSource,
  given: string,
): SettingProblem {
  const { name, expected } = setting;
  return { name, source, given: setting.secret ? "********" : quote(given), expected };
}

function describeProblem({ name, source, given, expected }: SettingProblem): string {
  const place =
    source.kind === "flag"
      ? `${source.flag} on the command line (${name})`
      : `${name} in the environment`;
  return `${place} is ${given}; expected ${expected}.`;
}

function quote(given: string): string {
  const masked = maskUrl(given);
  const isLong = masked.length > SHOWN_CHARACTERS;
  return JSON.stringify(isLong ? `${masked.slice(0, SHOWN_CHARACTERS)}…` : masked);
}
