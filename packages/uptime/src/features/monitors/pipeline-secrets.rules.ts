// What is secret in a monitor stands apart from it, sealed. What is shown and stored holds masks instead, and a mask
// that is sent back stands for the secret that is kept in its place.

import { MASK } from "@orchestrator/kernel";
import { type CheckConfig, findCheck, PLAIN } from "../../checks/registry.ts";
import { decoded, mapTexts } from "../../checks/secrets.ts";
import { mapUrlSecret, userinfoOf, withoutCredentials } from "./monitor-url.rules.ts";

/** Secrets by their place: `url`, `instance/password`, `http#2/headers/authorization`. One that ends with `/` is somewhere in a check. */
export type Secrets = Readonly<Record<string, string>>;

export interface Probed {
  readonly url: string;
  readonly pipeline: readonly CheckConfig[];
}

export interface Concealed {
  readonly shown: Probed;
  readonly secrets: Secrets;
  /** Places with a mask for which no secret is at hand. */
  readonly missing: readonly string[];
}

/** Takes the secrets out. Where a mask was sent the secret stays that is kept for its place. */
export function conceal(probed: Probed, kept: () => Secrets): Concealed {
  const secrets: Record<string, string> = {};
  const missing = new Set<string>();
  const shown = mapSecrets(probed, (value, place) => {
    const found = value === MASK ? secretsAt(kept(), place) : { [place]: value };
    if (Object.keys(found).length === 0) missing.add(place);
    Object.assign(secrets, found);
    return MASK;
  });
  return { shown, secrets, missing: [...missing] };
}

function secretsAt(secrets: Secrets, place: string): Secrets {
  const isThere = (one: string): boolean =>
    place.endsWith("/") ? one.startsWith(place) : one === place;
  return Object.fromEntries(Object.entries(secrets).filter(([one]) => isThere(one)));
}

/** Puts the secrets back in; where one is missing, the mask stays. */
export function reveal(shown: Probed, secrets: Secrets): Probed {
  return mapSecrets(shown, (value, place) => secrets[place] ?? value);
}

/**
 * Credentials of the address go with the checks that have none of their own: as a header, or as username and
 * password. The address itself has none afterwards.
 */
export function withUrlCredentials({ url, pipeline }: Probed): Probed {
  const found = userinfoOf(url);
  if (found === null) return { url, pipeline };
  const username = decoded(found.username);
  const password = decoded(found.password ?? "");
  const checks = pipeline.length === 0 ? PLAIN : pipeline;
  return {
    url: withoutCredentials(url),
    pipeline: checks.map(
      (check) => findCheck(check)?.withCredentials?.(check, { username, password }) ?? check,
    ),
  };
}

type Change = (value: string, place: string) => string;

/** Every secret replaced by what `change` makes of it. */
export function mapSecrets({ url, pipeline }: Probed, change: Change): Probed {
  const counts = new Map<string, number>();
  return {
    url: mapUrlSecret(url, (secret) => change(secret, "url")),
    pipeline: pipeline.map((check) => {
      const count = (counts.get(check.type) ?? 0) + 1;
      counts.set(check.type, count);
      return mapCheck(check, count === 1 ? check.type : `${check.type}#${count}`, change);
    }),
  };
}

function mapCheck(check: CheckConfig, place: string, change: Change): CheckConfig {
  const known = findCheck(check);
  if (known !== null)
    return known.mapSecrets(check, (secret, option) => change(secret, `${place}/${option}`));
  // Of a check that a newer server has stored only the masks can be told, and not which is whose.
  const changed = mapTexts(check, (text) => (text === MASK ? change(text, `${place}/`) : text));
  return changed as CheckConfig;
}
