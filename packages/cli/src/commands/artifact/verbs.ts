import type { Artifact, ArtifactCollection } from "@orchestrator/contract";
import { writeReadableJson } from "@orchestrator/exact-json";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { confirmOrFail } from "../../io/confirm.ts";
import { isUuid, orNull } from "../../io/find.ts";
import { parseWholeNumber } from "../../io/options.ts";
import { print, printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";
import { timeAgo } from "../../output/time.ts";

const MOST = 200;
const LONGEST_ABOUT = 60;

interface ListOptions {
  readonly key?: string;
  readonly type?: string;
  readonly all?: true;
  readonly limit: number;
}

export function listArtifactsCommand(): Command {
  return leaf()
    .option("--key <key>", "only those with this key, all versions of it")
    .option("--type <type>", "only those of a type, such as markdown or table")
    .option("--all", "every version, and those without a key")
    .option("--limit <count>", "at most so many", parseWholeNumber(1), MOST)
    .addHelpText(
      "after",
      examples("artifact ls", "artifact ls --key daily-report", "artifact ls --all --type table"),
    )
    .action(async ({ key, type, all, limit }: ListOptions, command: Command) => {
      const session = sessionOf(command);
      const { artifacts } = session.client;
      const filter = {
        limit,
        sort: "UPDATED_DESC" as const,
        include_data: session.json,
        artifacts: {
          ...(key !== undefined && { key: { any_: [key] } }),
          ...(type !== undefined && { type: { any_: [type] } }),
        },
      };
      const found =
        all || key !== undefined ? artifacts.each(filter) : artifacts.eachLatest(filter);
      printRows<Artifact | ArtifactCollection>(session, await collect(found), {
        columns: [
          { title: "Key", cell: (row) => row.key },
          { title: "Type", cell: (row) => row.type },
          { title: "About", cell: (row) => row.description, most: LONGEST_ABOUT },
          { title: "Updated", cell: (row) => timeAgo(row.updated) },
          { title: "Id", cell: (row) => ("latest_id" in row ? row.latest_id : row.id) },
        ],
        none: "There are no artifacts yet: flows make them while they run",
      });
    });
}

export function inspectArtifactCommand(): Command {
  return leaf()
    .argument("<artifact>", "its key, for the latest version, or an id")
    .addHelpText(
      "after",
      examples("artifact inspect daily-report", "artifact inspect daily-report --json"),
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const artifact = await findArtifact(session, name);
      printOne(session, artifact, {
        Key: artifact.key,
        Type: artifact.type,
        About: artifact.description,
        "Flow run": artifact.flow_run_id,
        "Task run": artifact.task_run_id,
        Created: artifact.created,
        Updated: artifact.updated,
        Id: "latest_id" in artifact ? artifact.latest_id : artifact.id,
      });
      if (session.json || artifact.data === null) return;
      const { data } = artifact;
      print(`\n${typeof data === "string" ? data : writeReadableJson(data)}`);
    });
}

export function deleteArtifactCommand(): Command {
  return leaf()
    .argument("<artifact>", "a key or an id")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("artifact delete daily-report"))
    .action(async (name: string, options: { readonly yes?: true }, command: Command) => {
      const session = sessionOf(command);
      const { artifacts } = session.client;
      const found = await findArtifact(session, name);
      const versions = isUuid(name)
        ? [found]
        : await collect(
            artifacts.each({ artifacts: { key: { any_: [name] } }, include_data: false }),
          );
      const what = isUuid(name)
        ? `the artifact ${name}`
        : `${name}, ${versions.length === 1 ? "its only version" : `all ${versions.length} versions`}`;
      await confirmOrFail(session, { question: `Delete ${what}?`, yes: options.yes });
      for (const { id } of versions) await artifacts.delete(id);
      printDone(session, `Deleted ${what}`, { deleted: versions.map(({ id }) => id) });
    });
}

async function findArtifact(
  { client }: CliSession,
  name: string,
): Promise<Artifact | ArtifactCollection> {
  const { artifacts } = client;
  const artifact = await orNull<Artifact | ArtifactCollection>(
    isUuid(name) ? artifacts.read(name) : artifacts.readLatest(name),
  );
  if (artifact !== null) return artifact;
  const keys = (await collect(artifacts.eachLatest({ limit: 1000, include_data: false }))).map(
    ({ key }) => key,
  );
  const hint = suggestion(name, keys) || " `orchestrator artifact ls` lists them.";
  throw new UsageError(`There is no artifact ${name}.${hint}`);
}
