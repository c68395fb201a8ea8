// Some routes take bodies that are larger than others may be, and a body is held whole until it is answered: so many bytes of
// them together, and whoever comes then is asked to come back.

import type { FastifyInstance, preParsingHookHandler } from "fastify";
import { AppError } from "../errors/app-error.ts";
import type { HttpLimits } from "./http-limits.ts";

const RETRY = { retryAfterSeconds: 1 };

/** To be called before there are routes. */
export function boundLargeBodies(
  app: FastifyInstance,
  { bodyBytes, largeBodiesBytes }: Pick<HttpLimits, "bodyBytes" | "largeBodiesBytes">,
): void {
  let held = 0;
  const hold = (limit: number): preParsingHookHandler => {
    return (request, reply, payload, done) => {
      // Where it is not said how long the body is, it may be as long as it may.
      const bytes = Number(request.headers["content-length"] ?? limit);
      const isOrdinary = bytes <= bodyBytes || bytes > limit;
      // Whoever has gone while it was found out who asks sends nothing more, and leaves nothing that would give it back.
      if (isOrdinary || reply.raw.destroyed) {
        done(null, payload);
        return;
      }
      // One alone is always taken.
      if (held > 0 && held + bytes > largeBodiesBytes) {
        done(new AppError("unavailable", "Too many large requests at once: try again", RETRY));
        return;
      }
      held += bytes;
      reply.raw.once("close", () => {
        held -= bytes;
      });
      done(null, payload);
    };
  };
  app.addHook("onRoute", (route) => {
    const { bodyLimit = bodyBytes, preParsing = [] } = route;
    if (bodyLimit > bodyBytes) route.preParsing = [hold(bodyLimit), preParsing].flat();
  });
}
