// Which options of a type of check are secret stands in its schema: those are sealed, and hidden in
// what is told.

/** The keys that lead to an option, from the outside in. */
export type OptionPath = readonly string[];

/** Takes a secret and the place it stands at: `password`, `login/password`. */
export type ChangeSecret = (secret: string, place: string) => string;

/**
 * Where the texts with `secret: true` stand. Throws where one stands at a place that no path names,
 * as among the items of a list: what is sealed has to be found again when the others around it
 * change.
 */
export function secretPaths(schema: unknown, path: OptionPath | null = []): readonly OptionPath[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => secretPaths(one, null));
  if (!isObject(schema)) return [];
  if (schema["secret"] === true) {
    if (path === null || path.length === 0 || schema["type"] !== "string")
      throw new Error(
        "A secret option is a text, and a property of the check or of an object in it",
      );
    return [path];
  }
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === "properties" && isObject(value)
      ? Object.entries(value).flatMap(([key, option]) =>
          secretPaths(option, path === null ? null : [...path, key]),
        )
      : secretPaths(value, null),
  );
}

/** The same options with every secret that is given replaced. */
export function mapSecretOptions<Config>(
  config: Config,
  paths: readonly OptionPath[],
  change: ChangeSecret,
): Config {
  return paths.reduce<unknown>(
    (options, path) => mapAt(options, path, (secret) => change(secret, path.join("/"))),
    config,
  ) as Config;
}

function mapAt(value: unknown, path: OptionPath, change: (secret: string) => string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === "string" && value !== "" ? change(value) : value;
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: mapAt(value[key], rest, change) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
