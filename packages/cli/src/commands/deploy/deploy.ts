import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { examples, leaf } from "../../io/command.ts";
import { orNull } from "../../io/find.ts";
import { several } from "../../io/options.ts";
import { printRows, say } from "../../io/print.ts";
import { withPureStdout } from "../../io/pure-stdout.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { suggestion } from "../../output/alike.ts";
import { MisuseError, UsageError } from "../../output/fail.ts";
import type { FileDeployment } from "./orchestrator-file.ts";
import type { Outcome } from "./outcome.ts";
import type { DeploymentPlan } from "./plan.ts";

interface Options {
  readonly file: string;
  readonly all?: true;
  readonly name: readonly string[];
  readonly dryRun?: true;
}

export function deployCommand(): Command {
  return leaf()
    .description("Make the deployments of an orchestrator.yaml, or change those that are there")
    .option("-f, --file <path>", "where they are described", "orchestrator.yaml")
    .option("--all", "all of them")
    .addOption(
      new Option("-n, --name <name>", "one of them; may be repeated")
        .argParser(several)
        .default([])
        .conflicts("all"),
    )
    .option("--dry-run", "say what would be done, and do nothing")
    .addHelpText("after", examples("deploy --all --dry-run", "deploy --name nightly"))
    .action(async (options: Options, command: Command) => {
      const session = sessionOf(command);
      const file = resolve(options.file);
      const { readProjectFile } = await import("./orchestrator-file.ts");
      const { deploymentPlan: planOf } = await import("./plan.ts");
      const project = readProjectFile(file);
      const chosen = choose(project.deployments, options);
      // What the author's files print when they are read is not part of the answer.
      const plans = await withPureStdout(async () => {
        const made: DeploymentPlan[] = [];
        for (const deployment of chosen) made.push(await planOf(session, file, deployment));
        return made;
      });
      await requirePools(session, plans);
      const outcomes: Outcome[] = [];
      for (const plan of plans) outcomes.push(await carryOut(session, plan, options));
      // Of some deployments, only their own.
      const shared = options.name.length === 0 ? project.automations : [];
      const triggered = plans.filter(({ triggers }) => triggers !== undefined);
      const { automationsOf } = await import("./file-triggers.ts");
      const { deployTriggers } = await import("./deploy-triggers.ts");
      const own = triggered.flatMap((plan) => automationsOf(fullName(plan), plan.triggers ?? []));
      const wanted = { automations: [...shared, ...own], owners: triggered.map(fullName) };
      outcomes.push(...(await deployTriggers(session, wanted, options)));
      printOutcomes(session, outcomes, options);
    });
}

const fullName = ({ flow, name }: DeploymentPlan): string => `${flow}/${name}`;

function choose(
  all: readonly FileDeployment[],
  { all: isAll, name }: Options,
): readonly FileDeployment[] {
  if (isAll || (name.length === 0 && all.length === 1)) return all;
  const names = all.map((deployment) => deployment.name);
  if (name.length === 0) {
    throw new MisuseError(
      `There are several deployments: take --all of them, or some with --name (${names.join(", ")})`,
    );
  }
  const unknown = name.find((one) => !names.includes(one));
  if (unknown !== undefined) {
    const hint = suggestion(unknown, names) || ` There are ${names.join(", ")}.`;
    throw new UsageError(`The file has no deployment ${unknown}.${hint}`);
  }
  return all.filter((deployment) => name.includes(deployment.name));
}

async function requirePools(
  { client }: CliSession,
  plans: readonly DeploymentPlan[],
): Promise<void> {
  for (const pool of new Set(plans.map(({ fields }) => fields.work_pool_name))) {
    if ((await orNull(client.workPools.read(pool))) !== null) continue;
    throw new UsageError(
      `There is no work pool ${pool}: make it with \`orchestrator work-pool create ${pool}\`, or name another as work_pool`,
    );
  }
}

async function carryOut(
  { client }: CliSession,
  { flow, name, fields, stored, changes }: DeploymentPlan,
  { dryRun }: Options,
): Promise<Outcome> {
  const full = `${flow}/${name}`;
  if (stored === null) {
    if (dryRun) return { name: full, action: "create", changes: [], id: null };
    const { id: flow_id } = await client.flows.create({ name: flow });
    const { id } = await client.deployments.create({ name, flow_id, ...fields });
    return { name: full, action: "create", changes: [], id };
  }
  if (changes.length === 0) return { name: full, action: "none", changes, id: stored.id };
  const changed = Object.fromEntries(
    Object.entries(fields).filter(([field]) => changes.includes(field)),
  );
  if (!dryRun) await client.deployments.update(stored.id, changed);
  return { name: full, action: "change", changes, id: stored.id };
}

function printOutcomes(
  session: CliSession,
  outcomes: readonly Outcome[],
  { dryRun }: Options,
): void {
  const done = dryRun
    ? {
        create: "would be created",
        change: "would be changed",
        none: "stays as it is",
        delete: "would be deleted",
      }
    : { create: "created", change: "changed", none: "was so already", delete: "deleted" };
  printRows(session, outcomes, {
    columns: [
      { title: "Deployment", cell: ({ name }) => name },
      {
        title: "",
        cell: ({ action, changes }) =>
          done[action] + (changes.length > 0 ? `: ${changes.join(", ")}` : ""),
      },
    ],
    none: "",
  });
  const first = outcomes[0]?.name;
  if (!session.json && !dryRun && first)
    say(`Run one with: orchestrator deployment run ${first} --watch`);
}
