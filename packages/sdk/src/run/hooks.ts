import { errorSummary } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";
import type { Hook, HookContext } from "../options/options.ts";
import { inScope, type RunScope } from "../scope/context.ts";

/** Calls a hook within the run; a hook that fails changes nothing about it. */
export async function callHook(
  hook: Hook | undefined,
  scope: RunScope,
  told: Pick<HookContext, "state" | "error">,
): Promise<void> {
  if (hook === undefined) return;
  const { flowRun, taskRun } = scope;
  try {
    await inScope(scope, () => hook({ flowRun, taskRun, ...told }));
  } catch (error) {
    scopeLogger(scope).error(
      `A hook for the state ${told.state.name} failed: ${errorSummary(error)}`,
    );
  }
}
