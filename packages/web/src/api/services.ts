// A server may run only one of the two services; what the other one would show is left out then.

import { queryOptions, useQuery } from "@tanstack/react-query";

export interface Services {
  readonly orchestrator: boolean;
  readonly uptime: boolean;
}

const BOTH: Services = { orchestrator: true, uptime: true };

async function answers(path: string): Promise<boolean> {
  try {
    // Only a plain "not found" says that there is no such service; all else may pass.
    return (await fetch(path)).status !== 404;
  } catch {
    return true;
  }
}

export const servicesQuery = queryOptions({
  queryKey: ["services"],
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  queryFn: async (): Promise<Services> => {
    const [orchestrator, uptime] = await Promise.all([
      answers("/api/health"),
      answers("/uptime/api/health"),
    ]);
    return { orchestrator, uptime };
  },
});

export function useServices(): Services {
  return useQuery(servicesQuery).data ?? BOTH;
}
