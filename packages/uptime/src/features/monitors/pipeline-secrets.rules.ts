// What is secret in a monitor stands apart from it, sealed. What is shown and stored holds masks instead, and a mask
// that is sent back stands for the secret that is kept in its place.

import { MASK } from "@orchestrator/kernel";
import { type CheckConfig, findCheck } from "../../checks/registry.ts";
import { credentialsOf, decoded, mapUrlSecret, withoutCredentials } from "./monitor-url.rules.ts";

/** Secrets by their place: `url`, `instance/password`, `http#2/headers/authorization`. */
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

/** Takes the secrets out. `keep` hands out the one that is kept for a place where a mask was sent. */
export function conceal(probed: Probed, keep: (place: string) => string | undefined): Concealed {
  const secrets: Record<string, string> = {};
  const missing: string[] = [];
  const shown = mapSecrets(probed, (value, place) => {
    const secret = value === MASK ? keep(place) : value;
    if (secret === undefined) missing.push(place);
    else secrets[place] = secret;
    return MASK;
  });
  return { shown, secrets, missing };
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
  const found = credentialsOf(url);
  if (found === null) return { url, pipeline };
  const username = decoded(found.username);
  const password = decoded(found.password ?? "");
  const checks: readonly CheckConfig[] = pipeline.length === 0 ? [{ type: "http" }] : pipeline;
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
  const changed = findCheck(check)?.mapSecrets?.(check, (secret, option) =>
    change(secret, `${place}/${option}`),
  );
  return changed ?? check;
}
