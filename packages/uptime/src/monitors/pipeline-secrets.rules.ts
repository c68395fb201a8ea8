// What is secret in a monitor stands apart from it, sealed. What is shown and stored holds masks
// instead, and a mask that is sent back stands for the secret that is kept in its place.

import { MASK } from "@orchestrator/kernel/pure";
import { type CheckConfig, findCheck, PLAIN } from "../checks/registry.ts";
import { decoded, mapTexts } from "../checks/secrets.ts";
import { type PlacedCheck, pairChecks, type StoredCheckPairs } from "./check-pairing.rules.ts";
import {
  mapUrlSecrets,
  URL_PLACE,
  userinfoOf,
  withoutUrlCredentials,
} from "./monitor-url.rules.ts";

/**
 * Secrets by their place: `url`, `url/api_key`, `instance/password`,
 * `http#2/headers/authorization`. One that ends with `/` is somewhere in a check.
 */
export type PipelineSecrets = Readonly<Record<string, string>>;

export interface Probed {
  readonly url: string;
  readonly pipeline: readonly CheckConfig[];
}

/** What is stored of a monitor already. */
export interface StoredSecrets {
  /** With masks. */
  readonly pipeline: readonly CheckConfig[];
  readonly secrets: () => PipelineSecrets;
}

export interface Concealed {
  readonly shown: Probed;
  readonly secrets: PipelineSecrets;
  /** Places with a mask for which no secret is at hand. */
  readonly missing: readonly string[];
  /** Places with a mask of which it cannot be told which secret is meant. */
  readonly unclear: readonly string[];
}

/**
 * Takes the secrets out. Where a mask was sent the secret stays that is kept for the check it
 * stands in.
 */
export function conceal(probed: Probed, kept: StoredSecrets): Concealed {
  const secrets: Record<string, string> = {};
  const missing = new Set<string>();
  const unclear = new Set<string>();
  let checks: StoredCheckPairs | undefined;
  const shown = mapSecrets(probed, (value, place) => {
    if (value !== MASK) secrets[place] = value;
    else {
      checks ??= pairChecks(withSecrets(probed.pipeline), withSecrets(kept.pipeline));
      const [check = place] = place.split("/", 1);
      const from = check === URL_PLACE ? check : checks.get(check);
      const found = from == null ? {} : secretsAt(kept.secrets(), place, { from, to: check });
      if (from === null) unclear.add(place);
      else if (Object.keys(found).length === 0) missing.add(place);
      Object.assign(secrets, found);
    }
    return MASK;
  });
  return { shown, secrets, missing: [...missing], unclear: [...unclear] };
}

/** The checks that have secrets, without them. */
function withSecrets(pipeline: readonly CheckConfig[]): PlacedCheck[] {
  const found: PlacedCheck[] = [];
  mapChecks(pipeline, (check, place) => {
    let secrets = 0;
    let isKeeping = false;
    const masked = mapCheck(check, place, (value) => {
      secrets += 1;
      isKeeping ||= value === MASK;
      return MASK;
    });
    if (secrets > 0) found.push({ place, check: masked, isKeeping });
    return check;
  });
  return found;
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/** What is kept for a place of a check that stood at another one, by its place now. */
function secretsAt(secrets: PipelineSecrets, place: string, { from, to }: Move): PipelineSecrets {
  const before = from + place.slice(to.length);
  const isThere = (one: string): boolean =>
    before.endsWith("/") ? one.startsWith(before) : one === before;
  return Object.fromEntries(
    Object.entries(secrets)
      .filter(([one]) => isThere(one))
      .map(([one, secret]) => [to + one.slice(from.length), secret]),
  );
}

/** Puts the secrets back in; where one is missing, the mask stays. */
export function reveal(shown: Probed, secrets: PipelineSecrets): Probed {
  return mapSecrets(shown, (value, place) => secrets[place] ?? value);
}

/**
 * Credentials of the address go with the checks that have none of their own: as a header, or as
 * username and password. The address itself has none afterwards.
 */
export function withUrlCredentials({ url, pipeline }: Probed): Probed {
  const found = userinfoOf(url);
  if (found === null) return { url, pipeline };
  const username = decoded(found.username);
  const password = decoded(found.password ?? "");
  const checks = pipeline.length === 0 ? PLAIN : pipeline;
  return {
    url: withoutUrlCredentials(url),
    pipeline: checks.map(
      (check) => findCheck(check)?.withCredentials?.(check, { username, password }) ?? check,
    ),
  };
}

type Change = (value: string, place: string) => string;

/** Every secret replaced by what `change` makes of it. */
export function mapSecrets({ url, pipeline }: Probed, change: Change): Probed {
  return {
    url: mapUrlSecrets(url, change),
    pipeline: mapChecks(pipeline, (check, place) => mapCheck(check, place, change)),
  };
}

/** Whether a mask stands in the place of every secret. */
export function isMasked(probed: Probed): boolean {
  let isOpen = false;
  mapSecrets(probed, (value) => {
    isOpen ||= value !== MASK;
    return value;
  });
  return !isOpen;
}

function mapChecks(
  pipeline: readonly CheckConfig[],
  change: (check: CheckConfig, place: string) => CheckConfig,
): readonly CheckConfig[] {
  const counts = new Map<string, number>();
  return pipeline.map((check) => {
    const count = (counts.get(check.type) ?? 0) + 1;
    counts.set(check.type, count);
    return change(check, count === 1 ? check.type : `${check.type}#${count}`);
  });
}

function mapCheck(check: CheckConfig, place: string, change: Change): CheckConfig {
  const known = findCheck(check);
  if (known !== null)
    return known.mapSecrets(check, (secret, option) => change(secret, `${place}/${option}`));
  // Of a check that a newer server has stored only the masks can be told, and not which is whose.
  const changed = mapTexts(check, (text) => (text === MASK ? change(text, `${place}/`) : text));
  return changed as CheckConfig;
}
