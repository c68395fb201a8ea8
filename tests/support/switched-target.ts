import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server that is well or unwell, as it is told, and says of what version it is. */
export interface SwitchedTarget extends AsyncDisposable {
  readonly url: string;
  isWell: boolean;
  version: string;
}

export async function startSwitchedTarget(): Promise<SwitchedTarget> {
  const target = { isWell: true, version: "2.40.0" };
  const server = createServer(({ url }, response) => {
    response.statusCode = target.isWell ? 200 : 503;
    const { version } = target;
    const serverDate = new Date().toISOString();
    const info = { version, revision: "4f1c9e2", buildTime: "2026-09-01T21:36:21.000", serverDate };
    response.end(url?.endsWith("/system/info") ? JSON.stringify(info) : "ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(target, {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
