import type { MonitorOverview } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { toast, toastError } from "../../ui/toasts.tsx";
import { msText } from "./monitor-words.ts";

const CHECK_MS = 180_000;

/** What can be done with a monitor from wherever it is shown. */
export function useMonitorVerbs({ id, name, enabled }: MonitorOverview) {
  const queries = useQueryClient();
  const [isChecking, setChecking] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ["monitors"] });
  return {
    isChecking,
    check: async (): Promise<void> => {
      setChecking(true);
      try {
        const options = { timeoutMs: CHECK_MS, totalTimeoutMs: CHECK_MS };
        const { status, message, elapsed_ms } = await uptime.monitors.check(id, options);
        const words = `${name}: ${status}, ${msText(elapsed_ms)}. ${message}`;
        toast(status === "up" ? "good" : "error", words);
        await refresh();
      } catch (error) {
        toastError(error);
      } finally {
        setChecking(false);
      }
    },
    toggle: async (): Promise<void> => {
      try {
        await uptime.monitors.update(id, { enabled: !enabled });
        await refresh();
        toast("good", enabled ? `Paused ${name}` : `Resumed ${name}`);
      } catch (error) {
        toastError(error);
      }
    },
  };
}
