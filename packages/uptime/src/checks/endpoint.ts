import { type Destination, hostOf, OutboundError, portOf } from "@orchestrator/outbound";

/** Where a check goes: what it names, or else where the monitor's url leads. */
export function endpointOf(
  url: string,
  given: { readonly host?: string | undefined; readonly port?: number | undefined },
): Destination {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null && (given.host === undefined || given.port === undefined))
    throw new OutboundError("invalid", "The address is not a URL");
  const host = given.host?.replace(/^\[(.*)\]$/, "$1");
  return {
    host: host ?? (parsed === null ? "" : hostOf(parsed)),
    port: given.port ?? (parsed === null ? 0 : portOf(parsed)),
  };
}
