export const SERVICE_NAMES = ["orchestrator", "uptime"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
