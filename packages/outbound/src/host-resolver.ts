import { lookup } from "node:dns/promises";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";

/** All addresses of a host, the best first. Throws an `OutboundError` when there are none. */
export type HostResolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Asks the operating system, in one of the few threads that Node has for it. */
export const systemResolver: HostResolver = async (host, signal) => {
  const found = await abortable(lookup(host, { all: true, verbatim: true }), signal);
  return found.map(({ address }) => address);
};

/** A question to a resolver cannot be taken back, only left alone. */
export async function abortable<T>(question: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | null = null;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBy(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([question, aborted]);
  } catch (error) {
    throw error instanceof OutboundError ? error : socketError(error);
  } finally {
    if (stop !== null) signal.removeEventListener("abort", stop);
  }
}
