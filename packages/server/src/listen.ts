import { type AddressInfo, createServer } from "node:net";
import type { HttpApp } from "@orchestrator/kernel/http";
import { StartupError, systemCode } from "./startup-error.ts";

/**
 * Clients that come at once and find no place here try again only after a second; the system may
 * hold fewer.
 */
const BACKLOG = 4096;

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Tries the port and lets go of it, so that nothing has been touched when it turns out to be taken.
 * Answers with the address that the host is: a name or a short form such as 127.1 does not tell it.
 */
export async function probePort(host: string, port: number): Promise<string> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", (error) => reject(explained(error, { host, port })));
    probe.listen({ host, port }, () => {
      const bound = probe.address() as AddressInfo;
      probe.close(() => resolve(bound.address));
    });
  });
}

export async function listen(app: HttpApp, { host, port }: Address): Promise<string> {
  try {
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw explained(error, { host, port });
  }
  const address = app.server.address();
  const actualPort = address !== null && typeof address === "object" ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`;
}

function explained(error: unknown, { host, port }: Address): unknown {
  switch (systemCode(error)) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is in use: stop the program that has it, or choose another with --port or ORCHESTRATOR_SERVER_PORT`,
      );
    case "EACCES":
      return new StartupError(
        `Port ${port} needs more rights than this user has: choose one above 1023 with --port`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartupError(
        `${host} is no address of this machine: choose another with --host or ORCHESTRATOR_SERVER_HOST`,
      );
    default:
      return error;
  }
}
