import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface BreakingLine extends AsyncDisposable {
  readonly url: string;
}

/**
 * A way to a server that is cut at the first such request, written as `POST /api/flows/`, and stays
 * so. With a status there is a proxy that answers in the server's place.
 */
export async function breakingLine(
  target: string,
  last: string,
  status: number | null = null,
): Promise<BreakingLine> {
  let isCut = false;
  const server = createServer((asked, answer) => {
    isCut ||= `${asked.method} ${asked.url}` === last;
    if (isCut && status !== null) {
      answer.writeHead(status).end();
      return;
    }
    if (isCut) {
      asked.socket.destroy();
      return;
    }
    const { method, headers } = asked;
    const passedOn = request(new URL(asked.url ?? "/", target), { method, headers }, (heard) => {
      answer.writeHead(heard.statusCode ?? 500, heard.headers);
      heard.pipe(answer);
    });
    asked.pipe(passedOn);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
