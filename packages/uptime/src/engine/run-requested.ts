import { answerRequest, listRequests } from "./check-requests.store.ts";
import { claimAndRun } from "./claim-and-run.ts";
import type { EngineContext } from "./engine-context.ts";
import { ENGINE_TOPIC, renewEngineLease } from "./lease.ts";
import { releaseMonitors } from "./shares.store.ts";

type Request = Awaited<ReturnType<typeof listRequests>>[number];

/**
 * Starts the checks that were asked for and that fall to this process. Paused monitors belong to
 * nobody: whoever is first checks them. `handled` are the requests that were dealt with and may
 * still be there; a list may be older than the answer.
 */
export async function runRequested(
  ctx: EngineContext,
  holder: string,
  handled: Set<string>,
): Promise<void> {
  const requests = await listRequests(ctx.db, holder);
  const present = new Set(requests.map(keyOf));
  for (const key of handled) if (!present.has(key)) handled.delete(key);
  for (const request of requests.filter((each) => !handled.has(keyOf(each)))) {
    handled.add(keyOf(request));
    run(ctx, request)
      .then((isDone) => isDone || handled.delete(keyOf(request)))
      .catch((error: unknown) => {
        handled.delete(keyOf(request));
        ctx.log.error(
          { err: error, monitor: request.monitor_id },
          "A check that was asked for failed",
        );
      });
  }
}

const keyOf = ({ monitor_id, requested_at }: Request): string => `${monitor_id} ${requested_at}`;

/** Tells whether it was checked and the request is gone. */
async function run(ctx: EngineContext, request: Request): Promise<boolean> {
  await ctx.runs.asking.run(() => renewEngineLease(ctx));
  const taken = await claimAndRun(ctx, request.workspace_id, request.monitor_id);
  if (taken === null) return false;
  const { monitor, holder } = taken;
  const result = await taken.run;
  await ctx.runs.inTurn([monitor.id], async () => {
    const isLeft = !monitor.enabled && ctx.runs.find(monitor.id) === undefined;
    // Together: whoever finds it free finds no request either.
    await ctx.runs.asking.run(() =>
      ctx.db.writeSystem(async (tx) => {
        if (result !== null) await answerRequest(tx, request);
        if (isLeft) await releaseMonitors(tx, holder, [monitor.id]);
        tx.notify(ENGINE_TOPIC);
      }),
    );
  });
  return result !== null;
}
