import type { JsonObject, JsonValue } from "@orchestrator/contract";
import type { Command } from "commander";
import { askSecret } from "../../io/ask-secret.ts";
import { looseJson, several, textPair } from "../../io/options.ts";
import { readObjectFile, withEnvironment } from "../../io/read-document.ts";
import type { CliSession } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";
import type { BlockFieldSummary } from "./find-block.ts";

export interface BlockValueOptions {
  readonly file?: string;
  readonly field?: Readonly<Record<string, string>>;
  readonly secret: readonly string[];
}

export const withBlockValueOptions = (command: Command): Command =>
  command
    .option("-f, --file <path>", "a file with its values, YAML or JSON; - for the standard input")
    .option("--field <name=value>", "a value, JSON or a text; may be repeated", textPair)
    .option(
      "--secret <name[=VARIABLE]>",
      "a value that is read from the environment, or asked for and not shown; may be repeated",
      several,
      [],
    );

/** What a block is to hold. Secrets that must be there and are not given are asked for. */
export async function blockValues(
  session: CliSession,
  { file, field = {}, secret }: BlockValueOptions,
  fields: readonly BlockFieldSummary[],
): Promise<JsonObject> {
  const values: Record<string, JsonValue> =
    file === undefined ? {} : { ...(await readObjectFile(file)) };
  for (const [name, text] of Object.entries(withEnvironment(field, "--field"))) {
    const isText = fields.some((one) => one.name === name && one.kind.includes("string"));
    values[name] = isText ? text : looseJson(text);
  }
  const secrets = secret.map((text) => text.split("=", 2));
  assertKnown([...Object.keys(values), ...secrets.map(([name = ""]) => name)], fields);
  for (const [name = "", variable] of secrets) {
    values[name] = await secretValue(session, name, variable);
  }
  const lacking = fields.filter(({ name, isRequired }) => isRequired && values[name] === undefined);
  const plain = lacking.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
  if (plain.length > 0) {
    throw new UsageError(`Blocks of this type need ${plain.join(", ")}: --field ${plain[0]}=VALUE`);
  }
  for (const { name } of lacking) values[name] = await secretValue(session, name, undefined);
  return values;
}

/** A misspelt name would be stored, and found missing when the block is used. */
function assertKnown(names: readonly string[], fields: readonly BlockFieldSummary[]): void {
  const known = fields.map(({ name }) => name);
  if (known.length === 0) return;
  for (const name of names) {
    if (known.includes(name)) continue;
    const hint = suggestion(name, known) || ` It has ${known.join(", ")}.`;
    throw new UsageError(`This type of block has no field ${name}.${hint}`);
  }
}

async function secretValue(
  session: CliSession,
  name: string,
  variable: string | undefined,
): Promise<string> {
  if (variable === undefined) {
    const instead = `name a variable of the environment, as in --secret ${name}=VARIABLE`;
    return askSecret(session, { question: name, instead });
  }
  const value = process.env[variable];
  if (value !== undefined && value !== "") return value;
  throw new UsageError(
    `The environment has no ${variable}, which is to be the ${name} of the block`,
  );
}
