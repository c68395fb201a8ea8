import { createServer } from "node:net";
import type { HttpApp } from "@orchestrator/kernel";
import { StartupError, systemCode } from "./startup-error.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Tries the port and lets go of it, so that nothing has been touched when it turns out to be taken. */
export async function assertPortIsFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(explained(error, { host, port })));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

export async function listen(app: HttpApp, { host, port }: Address): Promise<string> {
  try {
    await app.listen({ host, port });
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
