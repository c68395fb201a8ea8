import { StatusPageSlug, StatusPageView } from "@orchestrator/contract";
import type { ApiInstance, HttpApp } from "@orchestrator/kernel/http";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageCopies } from "./page-copies.ts";
import { missingPageHtml } from "./page-html.ts";
import { CONTENT_POLICY } from "./page-style.ts";
import type { PagesContext } from "./pages-context.ts";
import { publicPlace } from "./public-place.ts";
import { sendRendered } from "./send-rendered.ts";

/**
 * Public: the page of a reader's browser, and its feed. They are no part of the API and have
 * addresses of their own.
 */
export function publicPageRoutes(app: HttpApp, ctx: PagesContext): void {
  const missing = missingPageHtml();
  /** A workspace that is not there has no page. */
  const findPage = async (request: FastifyRequest): Promise<PageCopies | null> => {
    const place = await publicPlace(ctx, request).catch((error: unknown) => {
      if (isAppError(error, "not_found")) return null;
      throw error;
    });
    return place === null ? null : ctx.pages.find(place, slugOf(request));
  };

  app.get("/uptime/status/:slug", async (request, reply) => {
    const copies = await findPage(request);
    secure(reply);
    if (copies !== null) return sendRendered(request, reply, copies.html());
    return reply.code(404).header("content-type", "text/html; charset=utf-8").send(missing);
  });

  app.get("/uptime/status/:slug/rss.xml", async (request, reply) => {
    const copies = await findPage(request);
    if (copies === null) throw notFound();
    secure(reply);
    return sendRendered(request, reply, copies.feed(originOf(ctx, request)));
  });
}

/** Public: the same as data. */
export function publicDataRoutes(api: ApiInstance, ctx: PagesContext): void {
  api.get(
    "/status-pages/:slug/public",
    {
      config: { isPublic: true },
      schema: {
        tags: ["Status pages"],
        security: [],
        operationId: "readPublicStatusPage",
        summary: "Read what everybody may see of a published status page",
        params: StatusPageSlug,
        response: { 200: StatusPageView },
      },
    },
    async (request, reply) => {
      const copies = await ctx.pages.find(await publicPlace(ctx, request), request.params.slug);
      if (copies === null) throw notFound();
      return sendRendered(request, reply, copies.json());
    },
  );
}

const slugOf = (request: FastifyRequest): string =>
  (request.params as { readonly slug: string }).slug;

const notFound = (): AppError => new AppError("not_found", "Status page not found");

function secure(reply: FastifyReply): void {
  reply.header("content-security-policy", CONTENT_POLICY).header("referrer-policy", "no-referrer");
}

const HOST = /^(?:[a-z0-9.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The address by which people reach the server: as it is set, or as this reader does. */
function originOf({ settings }: PagesContext, { protocol, host }: FastifyRequest): string {
  const known = settings.publicUrl?.replace(/\/+$/, "");
  return known ?? `${protocol}://${HOST.test(host) ? host.toLowerCase() : "localhost"}`;
}
