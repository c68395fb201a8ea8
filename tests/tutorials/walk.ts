// A tutorial, followed by a reader who types every command and compares what it prints.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeProfiles } from "@orchestrator/client/node";
import { expect } from "vitest";
import { freePort } from "../support/free-port.ts";
import { commandsOf, type PageBlock, readPageBlocks } from "../support/page-blocks.ts";
import type { ServerEnv } from "../support/server-process.ts";
import { GuideShell } from "../support/shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil, untilTrue } from "../support/until.ts";
import { Printed } from "./printed.ts";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bin/orchestrator.mjs", import.meta.url));
const ADDRESS = "127.0.0.1:4200";
const START = "npm start";

export interface TutorialOptions {
  /** Commands that go on until somebody stops them, besides `npm start`. */
  readonly lasting?: RegExp;
  /** Values that a run of the tutorial makes up, such as names of runs, with patterns of them. */
  readonly examples?: Readonly<Record<string, RegExp>>;
  /** What is free on this machine in the place of what the page names, such as ports. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Folders of programs that the page takes for granted. */
  readonly path?: readonly string[];
  /** What the terminals of the reader are set up with. */
  readonly env?: ServerEnv;
  /** What a reader does somewhere else before certain commands. */
  readonly before?: readonly (readonly [RegExp, (reader: TutorialReader) => Promise<void>])[];
  /** Commands that are left out, as what they do is done already. */
  readonly skipped?: RegExp;
}

/** What a reader has come to know. */
export interface TutorialReader {
  readonly printed: Printed;
  /** The folder in which everything happens. */
  readonly folder: string;
}

/**
 * Follows the page from its first block to its last. Blocks of the language `sh` are typed into the
 * terminal they name, or into the one
 * that has none; a block `text` behind is what was printed, or what the lasting command of the
 * terminal it names has printed by then. A
 * block of another language with a name is a file.
 */
export async function walkTutorial(page: string, options: TutorialOptions = {}): Promise<void> {
  await using folder = await temporaryFolder();
  const { examples = {}, replaced = {}, path = [] } = options;
  const printed = new Printed(examples);
  const address = `127.0.0.1:${await freePort()}`;
  for (const [example, actual] of Object.entries({ ...replaced, [ADDRESS]: address }))
    printed.meet(example, actual);
  useServer(address, folder.path);
  mkdirSync(join(folder.path, "bin"));
  symlinkSync(COMMAND, join(folder.path, "bin", "orchestrator"));
  const env = {
    PATH: [join(folder.path, "bin"), ...path, process.env["PATH"] ?? ""].join(":"),
    HOME: folder.path,
    npm_config_offline: "true",
    NO_COLOR: "1",
    ...options.env,
  };
  await using terminals = new Terminals(folder.path, env);
  const reader = { printed, folder: folder.path };
  let last: Terminal | null = null;
  const blocks = readPageBlocks(page);
  expect(blocks, `${page} shows no command`).not.toEqual([]);
  for (const block of blocks) {
    const { language, name, text } = block;
    if (language === "sh") {
      last = terminals.named(name);
      await last.follow(block, { ...options, reader });
    } else if (language === "text") {
      const terminal = name === "" && last !== null ? last : terminals.named(name);
      const compare = () => printed.require(text, terminal.output());
      if (terminal.isBusy) await retryUntil(compare);
      else compare();
    } else if (name !== "") {
      const file = join(terminals.named("").folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, printed.typed(text));
    }
  }
}

class Terminals implements AsyncDisposable {
  readonly #known = new Map<string, Terminal>();
  readonly #folder: string;
  readonly #env: ServerEnv;

  constructor(folder: string, env: ServerEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  named(name: string): Terminal {
    const terminal = this.#known.get(name) ?? new Terminal(this.#folder, this.#env);
    this.#known.set(name, terminal);
    return terminal;
  }

  async [Symbol.asyncDispose]() {
    for (const terminal of [...this.#known.values()].toReversed())
      await terminal[Symbol.asyncDispose]();
  }
}

class Terminal implements AsyncDisposable {
  readonly #shell: GuideShell;
  /** While a command goes on in it. */
  isBusy = false;
  /** Of the block typed last, or of the command that goes on. */
  output: () => string = () => "";

  constructor(folder: string, env: ServerEnv) {
    this.#shell = new GuideShell(folder, env);
  }

  get folder(): string {
    return this.#shell.folder;
  }

  async follow(
    block: PageBlock,
    {
      lasting,
      skipped,
      before = [],
      reader,
    }: TutorialOptions & { readonly reader: TutorialReader },
  ): Promise<void> {
    let output = "";
    for (const command of commandsOf(block)) {
      if (skipped?.test(command)) continue;
      for (const [pattern, act] of before) if (pattern.test(command)) await act(reader);
      const typed = reader.printed.typed(command).replaceAll("npx orchestrator", "orchestrator");
      if (command.startsWith(START)) return this.#startServer(command, reader);
      if (lasting?.test(command)) return this.#start(typed);
      const { code, output: more } = await this.#shell.type(typed);
      output += more;
      expect(code, `${typed}\n${more}`).toBe(0);
    }
    this.output = () => output;
  }

  #start(line: string, signal?: NodeJS.Signals): void {
    this.output = this.#shell.start(line, signal);
    this.isBusy = true;
  }

  /** `npm start` is `orchestrator server start --worker`, here on a port that is free. */
  async #startServer(command: string, { printed }: TutorialReader): Promise<void> {
    const flags = command.slice(START.length).replace(/^ -- /, " ");
    const [, port] = printed.typed(ADDRESS).split(":");
    this.#start(`orchestrator server start --worker --port ${port}${flags}`, "SIGTERM");
    await untilTrue("the server is ready", () => this.output().includes("is ready"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#shell[Symbol.asyncDispose]();
  }
}

/**
 * Commands find the server at its usual port by themselves, and at another one by the profile in
 * use.
 */
function useServer(address: string, home: string): void {
  const settings = { ORCHESTRATOR_API_URL: `http://${address}/api` };
  writeProfiles({ active: "default", profiles: { default: settings } }, { HOME: home });
}
