import type { JsonValue, Variable } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { found } from "../../io/find.ts";
import { looseJson, parseWholeNumber, several } from "../../io/options.ts";
import { print, printDone, printJson, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";

const MOST = 200;

export function listVariablesCommand(): Command {
  return leaf()
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText("after", examples("variable ls"))
    .action(async ({ limit }: { readonly limit: number }, command: Command) => {
      const session = sessionOf(command);
      const rows = await collect(session.client.variables.each({ limit, sort: "NAME_ASC" }));
      printRows(session, rows, {
        columns: [
          { title: "Name", cell: ({ name }) => name },
          { title: "Value", cell: ({ value }) => textOf(value) },
          { title: "Tags", cell: ({ tags }) => tags.join(", ") },
          { title: "Updated", cell: ({ updated }) => timeAgo(updated) },
        ],
        none: "There are no variables yet: `orchestrator variable set NAME VALUE` makes one",
      });
    });
}

export function getVariableCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("variable get region", "variable get limits --json"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { value } = await findVariable(session, name);
      if (session.json) printJson(value);
      else print(textOf(value));
    });
}

export function inspectVariableCommand(): Command {
  return leaf()
    .argument("<name>")
    .addHelpText("after", examples("variable inspect region"))
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const variable = await findVariable(session, name);
      printOne(session, variable, {
        Name: variable.name,
        Value: textOf(variable.value),
        Tags: variable.tags.join(", "),
        Created: variable.created,
        Updated: variable.updated,
        Id: variable.id,
      });
    });
}

interface SetOptions {
  readonly tag: readonly string[];
  readonly overwrite?: true;
}

export function setVariableCommand(): Command {
  return leaf()
    .argument("<name>")
    .argument("<value>", "JSON, or a text as it is")
    .option("--tag <tag>", "may be repeated", several, [])
    .option("--overwrite", "change it if it is there")
    .addHelpText(
      "after",
      examples("variable set region eu-west-1", `variable set limits '{"cpu": 2}' --overwrite`),
    )
    .action(async (name: string, text: string, options: SetOptions, command: Command) => {
      const session = sessionOf(command);
      const { variables } = session.client;
      const given = { value: looseJson(text), tags: [...options.tag] };
      const [found] = await variables.list({ variables: { name: { any_: [name] } }, limit: 1 });
      if (found !== undefined && !options.overwrite)
        throw new UsageError(`There is a variable ${name} already: change it with --overwrite`);
      if (found === undefined) await variables.create({ name, ...given });
      else await variables.update(found.id, given);
      printDone(session, `Variable ${name} is set`, await variables.readByName(name));
    });
}

export function deleteVariableCommand(): Command {
  return leaf()
    .argument("<name>")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("variable unset region"))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const variable = await findVariable(session, name);
      await confirmOrFail(session, { question: `Delete the variable ${name}?`, yes: options.yes });
      await session.client.variables.delete(variable.id);
      printDone(session, `Deleted the variable ${name}`, { deleted: variable.id });
    });
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : writeJson(value));

const findVariable = ({ client }: CliSession, name: string): Promise<Variable> =>
  found(client.variables.readByName(name), {
    what: "variable",
    name,
    names: () => client.variables.each({ limit: MOST, sort: "NAME_ASC" }),
  });
