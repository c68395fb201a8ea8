import { takesGzip } from "@orchestrator/kernel/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RenderedPage } from "./page-copies.ts";

/** What is smaller is not worth the work. */
const MIN_ZIPPED = 500;
const CACHE_CONTROL = "public, max-age=10";

/**
 * Sends a document that is the same for everybody: compressed once, and not at all to those who
 * have it.
 */
export async function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: RenderedPage,
): Promise<FastifyReply> {
  reply.header("etag", rendered.etag).header("cache-control", CACHE_CONTROL);
  // Any page may read what anybody may.
  if (!reply.hasHeader("access-control-allow-origin"))
    reply.header("access-control-allow-origin", "*");
  if (isKnown(request.headers["if-none-match"], rendered.etag)) {
    varyByEncoding(reply);
    return reply.code(304).send();
  }
  reply.header("content-type", rendered.type);
  if (rendered.text.length < MIN_ZIPPED || !takesGzip(request.headers))
    return reply.send(rendered.text);
  varyByEncoding(reply);
  return reply.header("content-encoding", "gzip").send(await rendered.zipped());
}

/** Whether one of the versions that the reader has is the present one. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const versions = header.split(",").map((version) => version.trim().replace(/^W\//, ""));
  return versions.includes("*") || versions.includes(etag.replace(/^W\//, ""));
}

function varyByEncoding(reply: FastifyReply): void {
  const before = reply.getHeader("vary");
  reply.header(
    "vary",
    before === undefined ? "Accept-Encoding" : `${String(before)}, Accept-Encoding`,
  );
}
