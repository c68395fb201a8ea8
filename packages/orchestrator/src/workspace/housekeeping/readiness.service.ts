import type { LoopHealth } from "@orchestrator/kernel/loops";
import { createWriteProbe } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";

export interface ServerReadiness {
  readonly isReady: boolean;
  /** The established clients read these two sentences. */
  readonly message: "OK" | "Database is not available";
  /** What is in the way, and what to do about it. */
  readonly reason?: string;
  /** What will be in the way soon. */
  readonly warning?: string;
  readonly loops: Readonly<Record<string, Omit<LoopHealth, "name">>>;
}

/**
 * Ready means that a write would be taken. A loop that fails is shown and does not make the server
 * unready: requests are still answered.
 */
export function createReadiness({
  db,
  ids,
  loopHealth,
  disk,
}: OrchestratorContext): () => Promise<ServerReadiness> {
  const probe = createWriteProbe(db, ids);
  return async () => {
    const reason = await probe.check();
    const loops = Object.fromEntries(loopHealth().map(({ name, ...health }) => [name, health]));
    const warning = disk.warning();
    const report = { ...(warning === null ? {} : { warning }), loops };
    if (reason === null) return { isReady: true, message: "OK", ...report };
    return { isReady: false, message: "Database is not available", reason, ...report };
  };
}
