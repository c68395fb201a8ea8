import { readFileSync } from "node:fs";
import { UsageError } from "../output/fail.ts";

const STDIN = 0;

/**
 * The first line of a file, `-` for what is piped in: what stands in the command itself, others can
 * see.
 */
export function secretFromFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path === "-" ? STDIN : path, "utf8");
  } catch {
    throw new UsageError(`${path} cannot be read`);
  }
  const [line = ""] = text.split(/\r?\n/);
  if (line === "") throw new UsageError(`${path} is empty`);
  return line;
}
