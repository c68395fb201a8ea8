import { addressKind } from "./address-kinds.ts";

/** Whether who listens on a host, written in any way, is reached from this machine alone. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === "localhost" || addressKind(host) === "loopback";
