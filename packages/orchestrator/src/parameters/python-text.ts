import { isFloat, isMap } from "@orchestrator/exact-json";
import { floatText, quotedText } from "@orchestrator/jinja";
import { digitsOf, exactNumberOf, isWhole } from "@orchestrator/json-schema";

/** Longer values are cut: they are read by people. */
const MAX_CHARACTERS = 1000;

/**
 * A JSON value as Python shows it, which is how the documentation of the established client shows
 * values.
 */
export function pythonText(value: unknown): string {
  const parts: string[] = [];
  const isComplete = write(value, { parts, left: MAX_CHARACTERS });
  const text = parts.join("");
  return isComplete && text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}

interface Output {
  readonly parts: string[];
  left: number;
}

/** False once there is no room for more. */
function write(value: unknown, output: Output): boolean {
  if (Array.isArray(value)) return writeItems(value, output);
  if (isMap(value) && exactNumberOf(value) === null) return writeMembers(value, output);
  return put(scalarText(value), output);
}

function put(text: string, output: Output): boolean {
  output.parts.push(text);
  output.left -= text.length;
  return output.left >= 0;
}

function writeItems(items: readonly unknown[], output: Output): boolean {
  put("[", output);
  for (const [index, item] of items.entries()) {
    if (index > 0) put(", ", output);
    if (!write(item, output)) return false;
  }
  return put("]", output);
}

function writeMembers(map: Readonly<Record<string, unknown>>, output: Output): boolean {
  put("{", output);
  for (const [index, [name, value]] of Object.entries(map).entries()) {
    put(`${index > 0 ? ", " : ""}${scalarText(name)}: `, output);
    if (!write(value, output)) return false;
  }
  return put("}", output);
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return quotedText(value.slice(0, MAX_CHARACTERS + 1));
  if (typeof value === "boolean") return value ? "True" : "False";
  const number = exactNumberOf(value);
  if (number === null) return "None";
  return isFloat(value) || !isWhole(number) ? floatText(Number(number)) : digitsOf(number);
}
