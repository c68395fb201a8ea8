import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const ACCEPTABLE = /^[\w.:-]{1,128}$/;

/**
 * The caller's own id where it is harmless in headers and logs, else one that is cheap and unique
 * enough to find a log line.
 */
export function createRequestIds(): (request: IncomingMessage) => string {
  const process = randomBytes(6).toString("hex");
  let count = 0;
  return ({ headers }) => {
    const given = headers["x-request-id"];
    if (typeof given === "string" && ACCEPTABLE.test(given)) return given;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
