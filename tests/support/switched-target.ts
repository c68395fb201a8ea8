import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server that is well or unwell, as it is told. */
export interface SwitchedTarget extends AsyncDisposable {
  readonly url: string;
  isWell: boolean;
}

export async function startSwitchedTarget(): Promise<SwitchedTarget> {
  const target = { isWell: true };
  const server = createServer((_request, response) => {
    response.statusCode = target.isWell ? 200 : 503;
    response.end("ok");
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
