// A request whose body is sent by hand, to keep it in flight for as long as the test likes.
import { once } from "node:events";
import { connect } from "node:net";
import { untilTrue } from "./until.ts";

export interface RawHttpRequest extends Disposable {
  /** Sends the rest of the body. */
  readonly finish: () => void;
  /** Everything that came back, once the server has closed the connection. */
  readonly answer: Promise<string>;
}

/** Resolves when the server has taken the request on and waits for the rest of its body. */
export async function beginRequest(
  url: string,
  path: string,
  body: unknown,
): Promise<RawHttpRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  const answer = once(socket, "close").then(() => received);
  const text = JSON.stringify(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
      `content-length: ${text.length}\r\nexpect: 100-continue\r\n\r\n${text.slice(0, 1)}`,
  );
  await untilTrue("the server asks for the body", () => received.startsWith("HTTP/1.1 100"));
  return {
    answer,
    finish: () => socket.write(text.slice(1)),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
