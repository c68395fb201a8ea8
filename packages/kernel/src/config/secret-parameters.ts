// Which parameters of an address look like credentials, by their names alone.

const SECRET_WORD =
  /token|secret|passw|credential|session|signature|api[-_]?key|(?:^|[-_.])(?:auth|authorization|hmac|jwt|key|pass|pwd|sas|sig)(?:$|[-_.])/;

/** `api_key`, `accessToken`, `sig`, `X-Amz-Signature`; neither `page` nor `keyword`. */
export function isSecretParameter(name: string): boolean {
  return SECRET_WORD.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
}

/**
 * Takes the value as it is written, the name as it is meant, and how many of that name came before.
 */
export type ChangeParameter = (value: string, name: string, earlier: number) => string;

/**
 * The address with the value of each parameter that `change` is to see replaced; all else stays as
 * it is written.
 */
export function mapSecretParameters(
  url: string,
  change: ChangeParameter,
  isSecret: (name: string, value: string) => boolean = isSecretParameter,
): string {
  const [, before = "", query = "", after = ""] = /^([^?#]*\?)([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === "") return url;
  const counts = new Map<string, number>();
  const parameters = query.split("&").map((parameter) => {
    const equals = parameter.indexOf("=");
    const value = parameter.slice(equals + 1);
    if (equals === -1 || value === "") return parameter;
    const name = meaning(parameter.slice(0, equals));
    if (!isSecret(name, value)) return parameter;
    const earlier = counts.get(name) ?? 0;
    counts.set(name, earlier + 1);
    return `${parameter.slice(0, equals)}=${change(value, name, earlier)}`;
  });
  return before + parameters.join("&") + after;
}

function meaning(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
