import { BadgeQuery, MonitorId, type PagePart } from "@orchestrator/contract";
import type { ApiInstance, HttpApp } from "@orchestrator/kernel/http";
import { namedWorkspace } from "@orchestrator/kernel/scope";
import type { FastifyReply, FastifyRequest } from "fastify";
import { STATUS_PAGES_TOPIC } from "../../db/tables/status-pages.table.ts";
import { FreshCache } from "../fresh-cache.ts";
import { findWorkspaceOfMonitor } from "../page-facts.store.ts";
import type { PagesContext } from "../pages-context.ts";
import {
  type BadgeContent,
  latencyBadge,
  MISSING_BADGE,
  statusBadge,
  uptimeBadge,
} from "./badge-content.rules.ts";
import { badgeSvg } from "./badge-svg.ts";
import { type BadgeFacts, readBadgeFacts } from "./badges.service.ts";

/** As old as a badge may be. */
const FRESH_MS = 10_000;
const MOST_MONITORS = 1000;
const CACHE_CONTROL = "public, max-age=60";
const LABEL_COLOUR = "4a515d";

interface Kind {
  readonly paths: readonly string[];
  /** What a page must show before a badge may tell it. */
  readonly part: PagePart | null;
  readonly content: (facts: BadgeFacts, range: BadgeQuery["range"]) => BadgeContent;
}

const KINDS: readonly Kind[] = [
  {
    // The second is the short one, beside the API.
    paths: ["/uptime/badges/:id/status.svg", "/uptime/api/badge/:id(^[^.]+).svg"],
    part: null,
    content: ({ state }) => statusBadge(state),
  },
  {
    paths: ["/uptime/badges/:id/uptime.svg"],
    part: "uptime",
    content: ({ uptime }, range) => uptimeBadge(range, uptime?.[range] ?? null),
  },
  {
    paths: ["/uptime/badges/:id/latency.svg"],
    part: "latency",
    content: ({ latencyMs }) => latencyBadge(latencyMs),
  },
];

/** Public: pictures for other people's pages, of monitors that a published page shows. */
export function badgeRoutes(app: HttpApp, ctx: PagesContext): void {
  const known = new FreshCache<BadgeFacts>({
    clock: ctx.clock,
    freshMs: FRESH_MS,
    most: MOST_MONITORS,
  });
  ctx.db.wakeUps.on(STATUS_PAGES_TOPIC, () => known.clear());
  const factsOf = async (request: FastifyRequest, id: string): Promise<BadgeFacts | null> => {
    const named = await ctx.gate.pass(request);
    // The id of a monitor says which workspace it is in; an address that names one must name that
    // one.
    const isNamed = namedWorkspace(request.raw) !== null || ctx.gate.mode !== "accounts";
    return known.get(`${isNamed ? named.workspaceId : ""} ${id}`, async () => {
      const workspaceId = isNamed ? named.workspaceId : await findWorkspaceOfMonitor(ctx.db, id);
      if (workspaceId === null) return null;
      return readBadgeFacts(
        ctx,
        { ...named, workspaceId },
        { monitorId: id, shownOf: (monitor) => ctx.pages.shownOf(workspaceId, monitor) },
      );
    });
  };

  const routes = KINDS.flatMap((kind) => kind.paths.map((path) => ({ path, ...kind })));
  for (const { path, part, content } of routes)
    (app as unknown as ApiInstance).get(
      path,
      { schema: { params: MonitorId, querystring: BadgeQuery } },
      async (request, reply) => {
        const facts = await factsOf(request, request.params.id);
        if (facts === null || (part !== null && !facts.shown.has(part)))
          return sendSvg(reply.code(404), MISSING);
        const { label, label_color, color, range } = request.query;
        const made = content(facts, range);
        const svg = badgeSvg({
          label: label ?? made.label,
          text: made.text,
          labelColour: label_color ?? LABEL_COLOUR,
          colour: color ?? made.colour,
        });
        return sendSvg(reply, svg);
      },
    );
}

const MISSING = badgeSvg({ ...MISSING_BADGE, labelColour: LABEL_COLOUR });

function sendSvg(reply: FastifyReply, svg: string): FastifyReply {
  return (
    reply
      .header("content-type", "image/svg+xml; charset=utf-8")
      .header("cache-control", CACHE_CONTROL)
      // Opened by itself it is a document like any other.
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(svg)
  );
}
