import type { JsonValue } from "@orchestrator/contract";
import { readJson, readWrittenJson } from "@orchestrator/exact-json";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { several, textOrFile } from "../../io/options.ts";
import { print, printJson, say } from "../../io/print.ts";
import { sendRawRequest } from "./send-request.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Options {
  readonly data?: string;
  readonly header: readonly string[];
  readonly uptime?: true;
  readonly include?: true;
}

export function apiCommand(): Command {
  return leaf()
    .addArgument(new Argument("<method>", METHODS.join(", ")).argParser(methodOf))
    .argument("<path>", "below the API, such as /flows/filter")
    .option("-d, --data <json>", "the body; - or @file to read it")
    .option("-H, --header <name: value>", "may be repeated", several, [])
    .option("--uptime", "to the uptime API")
    .option("-i, --include", "show the status and headers, on stderr")
    .addHelpText(
      "after",
      examples(
        "api GET /version",
        `api POST /flow_runs/filter -d '{"limit": 1}'`,
        "api GET /monitors --uptime",
      ),
    )
    .action(async (method: string, path: string, options: Options, command: Command) => {
      const body = options.data === undefined ? undefined : bodyOf(command, options.data);
      const { profile } = command.optsWithGlobals<{ readonly profile?: string }>();
      const { status, statusText, headers, text } = await sendRawRequest({
        method,
        path,
        body,
        headers: Object.fromEntries(options.header.map((header) => headerOf(command, header))),
        service: options.uptime ? "uptime" : "orchestrator",
        profile,
      });
      const isGood = status < 400;
      if (options.include || !isGood) say(`${status} ${statusText}`);
      if (options.include) for (const [name, value] of headers) say(`${name}: ${value}`);
      printAnswer(text);
      if (!isGood) process.exitCode = 1;
    });
}

function printAnswer(text: string): void {
  if (text === "") return;
  try {
    printJson(readJson(text));
  } catch {
    // Whoever keeps it in a file wants it as it is.
    if (process.stdout.isTTY) print(text);
    else process.stdout.write(text);
  }
}

function methodOf(text: string): string {
  const method = text.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw new InvalidArgumentError(`It must be one of ${METHODS.join(", ")}.`);
}

function bodyOf(command: Command, given: string): JsonValue {
  try {
    return readWrittenJson(textOrFile(given)) as JsonValue;
  } catch (error) {
    return command.error(`error: the body is no JSON: ${(error as Error).message}`, {
      exitCode: 2,
    });
  }
}

function headerOf(command: Command, given: string): [string, string] {
  const at = given.indexOf(":");
  if (at <= 0) command.error(`error: ${given} must be 'name: value'`, { exitCode: 2 });
  return [given.slice(0, at).trim(), given.slice(at + 1).trim()];
}
