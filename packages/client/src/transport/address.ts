const KEY = /\{\w+\}/g;

/** How many keys a path has places for. */
export function countPathKeys(path: string): number {
  return path.match(KEY)?.length ?? 0;
}

/** The path with the keys in their places. */
export function fillPath(path: string, keys: readonly unknown[]): string {
  let next = 0;
  return path.replace(KEY, (place) => {
    const key = keys[next];
    next += 1;
    // An empty key would lead to another address.
    if (typeof key !== "string" || key === "") {
      throw new TypeError(`${path} needs a text for ${place}`);
    }
    // Browsers and proxies take these for steps between folders.
    if (key === "." || key === "..") throw new TypeError(`${key} cannot be part of an address`);
    return encodeURIComponent(key);
  });
}

type QueryValue = string | number | boolean | null | undefined;

/**
 * What is asked for, as the end of an address; what is undefined or null is left out, lists are
 * repeated.
 */
export function queryText(
  query: Readonly<Record<string, QueryValue | readonly QueryValue[]>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat() as QueryValue[]) {
      if (one !== undefined && one !== null) search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
