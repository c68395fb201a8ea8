import type { HttpClient } from "./http-client.ts";

type Labels = Readonly<Record<string, string>>;

/** Reads `/metrics` and gives the value of one series, or null where there is none. */
export async function readMetric(
  client: HttpClient,
  name: string,
  labels: Labels = {},
): Promise<number | null> {
  const { text } = await client.get("/metrics");
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  for (const line of text.split("\n")) {
    const [, found, given = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found === name && wanted.every((label) => given.split(",").includes(label)))
      return Number(value);
  }
  return null;
}
