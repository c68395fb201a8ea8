import type { StatusPage } from "@orchestrator/contract";
import type { Command } from "commander";
import { collect } from "../../io/collect.ts";
import { examples, leaf } from "../../io/command.ts";
import { deleteCommand } from "../../io/delete-command.ts";
import { findNamed } from "../../io/find-named.ts";
import { several } from "../../io/options.ts";
import { printDone, printOne, printRows } from "../../io/print.ts";
import { type CliSession, sessionOf } from "../../io/session.ts";
import { MisuseError } from "../../output/fail.ts";
import { dim, green } from "../../output/style.ts";
import { timeAgo } from "../../output/time.ts";
import { monitorIds } from "../monitor/find-monitor.ts";

export function listStatusPagesCommand(): Command {
  return leaf()
    .addHelpText("after", examples("status-page ls"))
    .action(async (_: unknown, command: Command) => {
      const session = sessionOf(command);
      printRows(session, await collect(session.uptime.statusPages.each()), {
        columns: [
          { title: "Slug", cell: ({ slug }) => slug },
          { title: "Title", cell: ({ title }) => title },
          { title: "State", cell: stateOf },
          { title: "Address", cell: (page) => addressOf(session, page) },
          { title: "Updated", cell: ({ updated_at }) => timeAgo(updated_at) },
        ],
        none: "There are no status pages yet: `orchestrator status-page create SLUG TITLE --tag TAG` makes one",
      });
    });
}

export function inspectStatusPageCommand(): Command {
  return leaf()
    .argument("<page>", "its slug or its id")
    .addHelpText("after", examples("status-page inspect shop"))
    .action(async (slug: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const page = await findPage(session, slug);
      printOne(session, page, {
        Title: page.title,
        Slug: page.slug,
        About: page.description,
        State: stateOf(page),
        Address: addressOf(session, page),
        Shows: page.show.join(", "),
        Groups: page.groups.map(groupText).join("; ") || null,
        Theme: page.theme,
        Updated: page.updated_at,
        Id: page.id,
      });
    });
}

interface CreateOptions {
  readonly tag: readonly string[];
  readonly monitor: readonly string[];
  readonly description?: string;
  readonly publish?: true;
}

export function createStatusPageCommand(): Command {
  return leaf()
    .argument("<slug>", "where it is: lower case letters, digits and hyphens")
    .argument("<title>")
    .option(
      "--tag <tag>",
      "shows monitors with this tag; given several times, with all of them",
      several,
      [],
    )
    .option("--monitor <monitor>", "shows this monitor; may be repeated", several, [])
    .option("--description <text>", "what it says below its title")
    .option("--publish", "everybody can see it at once")
    .addHelpText("after", examples("status-page create shop 'Shop status' --tag prod --publish"))
    .action(async (slug: string, title: string, options: CreateOptions, command: Command) => {
      const session = sessionOf(command);
      const { tag, monitor, description, publish } = options;
      if (tag.length + monitor.length === 0) {
        throw new MisuseError("Say which monitors it shows: --tag or --monitor");
      }
      const ids = await monitorIds(session, monitor);
      const page = await session.uptime.statusPages.create({
        slug,
        title,
        published: publish === true,
        groups: [{ name: title, monitors: ids.map((id) => ({ id })), tags: [...tag] }],
        ...(description !== undefined && { description }),
      });
      const next = publish
        ? ""
        : `. \`orchestrator status-page publish ${slug}\` shows it to everybody`;
      printDone(session, `Created ${addressOf(session, page)}${next}`, page);
    });
}

export function publishStatusPageCommand(published: boolean): Command {
  const verb = published ? "publish" : "unpublish";
  return leaf()
    .argument("<page>", "its slug or its id")
    .addHelpText("after", examples(`status-page ${verb} shop`))
    .action(async (slug: string, _: unknown, command: Command) => {
      const session = sessionOf(command);
      const { id } = await findPage(session, slug);
      const page = await session.uptime.statusPages.update(id, { published });
      const text = published
        ? `Everybody can see ${addressOf(session, page)}`
        : `${page.slug} is hidden`;
      printDone(session, text, page);
    });
}

export function deleteStatusPageCommand(): Command {
  return deleteCommand({
    argument: ["<page>", "its slug or its id"],
    example: "status-page delete shop",
    find: findPage,
    describe: ({ slug }) => `the status page ${slug} with its reports`,
    deleteRow: ({ uptime }, { id }) => uptime.statusPages.delete(id),
  });
}

/** Pages are called by their slugs. */
async function findPage({ uptime }: CliSession, slug: string): Promise<StatusPage> {
  const named = (page: StatusPage) => ({
    id: page.id,
    name: page.slug,
    created_at: page.created_at,
    page,
  });
  const { page } = await findNamed(
    {
      what: "status page",
      read: async (id) => named(await uptime.statusPages.read(id)),
      async *each() {
        for await (const one of uptime.statusPages.each()) yield named(one);
      },
    },
    slug,
  );
  return page;
}

/** Pages are served beside the API. */
const addressOf = ({ uptime }: CliSession, { slug }: StatusPage): string =>
  `${uptime.url.replace(/\/api$/, "")}/status/${slug}`;

const stateOf = ({ published }: StatusPage): string =>
  published ? green("published") : dim("hidden");

function groupText({ name, monitors, tags }: StatusPage["groups"][number]): string {
  const parts = monitors.length > 0 ? [`${monitors.length} monitors`] : [];
  if (tags.length > 0) parts.push(`tagged ${tags.join(" and ")}`);
  return `${name} (${parts.join(", ") || "empty"})`;
}
