import { finished } from "node:stream";
import { HeartbeatAnswer, HeartbeatToken } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { UptimeContext } from "../../context.ts";
import { receiveCall } from "./heartbeats.service.ts";

const ADDRESSES = [
  { path: "/heartbeat/:token", hasFailed: false, operation: "Heartbeat", about: "is well" },
  { path: "/heartbeat/:token/fail", hasFailed: true, operation: "Failure", about: "has failed" },
] as const;
const METHODS = [
  { method: "get", verb: "report" },
  { method: "post", verb: "send" },
] as const;

/** Public: whoever has the token can call, by whatever is at hand there. */
export function heartbeatRoutes(api: ApiInstance, ctx: UptimeContext): void {
  api.register((open, _options, done) => {
    // Whatever is sent along, such as the log of a whole night, is neither looked at nor kept, so
    // it may be of any length.
    open.removeAllContentTypeParsers();
    open.addContentTypeParser("*", (_request, body, parsed) => {
      // It counts once all of it is here: a job that dies while it sends its log is not well.
      finished(body.resume(), { writable: false }, (error) => {
        if (!error || isAppError(error)) parsed(error ?? null);
        else parsed(new AppError("bad_request", "The request body has broken off"));
      });
    });
    callRoutes(open, ctx);
    done();
  });
}

function callRoutes(api: ApiInstance, ctx: UptimeContext): void {
  for (const { path, hasFailed, operation, about } of ADDRESSES) {
    for (const { method, verb } of METHODS) {
      api[method](
        path,
        {
          config: { isPublic: true },
          schema: {
            tags: ["Heartbeats"],
            security: [],
            operationId: `${verb}${operation}`,
            summary: `Tell that the target of a heartbeat check ${about}`,
            params: HeartbeatToken,
            response: { 200: HeartbeatAnswer },
          },
        },
        async (request) => {
          const { token } = request.params;
          await receiveCall(ctx, request.scope, { token, hasFailed });
          return { ok: true };
        },
      );
    }
  }
}
