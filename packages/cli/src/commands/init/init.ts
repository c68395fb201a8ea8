import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { print, printJson } from "../../io/print.ts";
import { sessionOf } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { OWN_FOLDER, packageFolderOf } from "../../own-folder.ts";

const TEMPLATES = join(OWN_FOLDER, "templates");

interface Options {
  readonly typescript?: true;
}

export function initCommand(): Command {
  return leaf()
    .description(
      "Make a small project that runs: a flow, and its deployments in an orchestrator.yaml",
    )
    .argument("[folder]", "where; it is made if it is not there (default: this one)")
    .option("--typescript", "with the flow in TypeScript, which needs no build")
    .addHelpText("after", examples("init my-flows", "init my-flows --typescript"))
    .action((given: string | undefined, { typescript }: Options, command: Command) => {
      const session = sessionOf(command);
      const folder = resolve(given ?? ".");
      const template = join(TEMPLATES, typescript ? "typescript-project" : "project");
      const files = filesOf(template, basename(folder));
      requireFree(folder, files);
      for (const { path, content } of files) {
        const target = join(folder, path);
        mkdirSync(dirname(target), { recursive: true });
        // Nothing that is there is ever written over.
        writeFileSync(target, content, { flag: "wx" });
      }
      if (session.json) return printJson({ folder, files: files.map(({ path }) => path) });
      const into = relative(process.cwd(), folder);
      print(`Made ${files.map(({ path }) => path).join(", ")}${into === "" ? "" : ` in ${into}`}

Next:${into === "" ? "" : `\n  cd ${into}`}
  npm install
  npm run hello                                         # runs the flow here
  npx orchestrator deploy --all                         # makes its deployments
  npx orchestrator deployment run hello/local --watch   # runs one on a worker`);
    });
}

interface ProjectFile {
  readonly path: string;
  readonly content: string;
}

function filesOf(template: string, name: string): ProjectFile[] {
  const values: Readonly<Record<string, string>> = {
    name: packageName(name),
    cli: dependencyOf(OWN_FOLDER),
    sdk: dependencyOf(packageFolderOf(import.meta.resolve("@orchestrator/sdk"))),
  };
  return readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = relative(template, join(entry.parentPath, entry.name));
      const text = readFileSync(join(template, path), "utf8");
      const content = text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
      // Packages are published without their .gitignore.
      return { path: path === "gitignore" ? ".gitignore" : path, content };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function requireFree(folder: string, files: readonly ProjectFile[]): void {
  const there = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
  if (there.length === 0) return;
  throw new UsageError(
    `${folder} has ${there.join(", ")} already: name a new folder, as in \`orchestrator init my-flows\``,
  );
}

/** Names of packages are plainer than names of folders. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, "-")
    .replace(/^[._-]+/, "") || "flows";

/**
 * Installed packages by their version; those of a working copy, which are nowhere published, by
 * their folder.
 */
function dependencyOf(folder: string): string {
  const path = realpathSync(folder);
  const manifest = readFileSync(join(path, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return path.includes("node_modules") ? version : `file:${path}`;
}
