import type { IncomingHttpHeaders } from "node:http";
import { gzip, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

type Sent = (error: Error | null, payload?: unknown) => void;

const MIN_BYTES = 500;
/**
 * Up to here compressing at once costs the main thread less than handing the work to another one.
 */
const MAX_SYNC_BYTES = 8192;
/** Twice as fast as the default level, and JSON still shrinks to a sixth. */
const OPTIONS = { level: 1 };

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*json|javascript|xml)|image\/svg)/;
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;

/** Sends large texts compressed to those who take it; everything else goes straight through. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Sent,
): void {
  const isData = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isData || payload.length < MIN_BYTES || !isCompressible(reply)) {
    done(null, payload);
    return;
  }
  addVary(reply, "Accept-Encoding");
  if (request.method === "HEAD" || !takesGzip(request.headers)) {
    done(null, payload);
    return;
  }
  reply.header("content-encoding", "gzip");
  reply.removeHeader("content-length");
  if (payload.length <= MAX_SYNC_BYTES) done(null, gzipSync(payload, OPTIONS));
  else gzip(payload, OPTIONS, done);
}

/** Whether the caller takes answers that are compressed; `gzip;q=0` says that it does not. */
export function takesGzip({ "accept-encoding": accepted = "" }: IncomingHttpHeaders): boolean {
  const offers = String(accepted).split(",");
  return offers.some((offer) => /^\s*gzip\b/i.test(offer) && !REFUSED.test(offer));
}

function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader("content-encoding") || reply.statusCode === 206) return false;
  return COMPRESSIBLE.test(String(reply.getHeader("content-type") ?? ""));
}

function addVary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader("vary");
  reply.header("vary", present === undefined ? name : `${String(present)}, ${name}`);
}
