import { LogSubscription } from "@orchestrator/contract";
import { type ApiInstance, CLOSE, createReader, socketRoute } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { API_SOCKET, ignoreRest, receiveWish } from "../../sockets.ts";
import { logMatcher } from "./log-match.rules.ts";
import { createLogTail } from "./log-tail.service.ts";

const NO_FILTER = { code: CLOSE.protocolError, missing: "No filter came in time" };

/** Log lines as they are stored. */
export function logsOutSocket(api: ApiInstance, ctx: OrchestratorContext): void {
  const subscription = createReader(LogSubscription, { stripNul: false });
  const tail = createLogTail(ctx);
  api.addHook("onClose", () => tail.stop());

  socketRoute(api, "/logs/out", API_SOCKET, async (socket, { scope }) => {
    const wish = await receiveWish(socket, subscription, NO_FILTER);
    if (wish === null) return;
    const matches = logMatcher(wish.filter);
    const following = tail.follow(socket.signal, (lines) => {
      for (const line of lines) {
        if (line.workspace_id !== scope.workspaceId || !matches(line)) continue;
        void socket.send(`{"type":"log","log":${line.json}}`);
      }
    });
    await Promise.all([following, ignoreRest(socket)]);
  });
}
