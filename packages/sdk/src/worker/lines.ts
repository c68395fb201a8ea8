import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line that is longer comes in pieces. */
const MAX_LINE = 32_768;

/** Hands on what a stream says, line by line; resolves when it has ended. */
export function forEachLine(stream: Readable, onLine: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string): void => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hand(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (rest.length <= MAX_LINE) return;
    hand(rest);
    rest = "";
  };
  const hand = (line: string): void => {
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) {
      onLine(line.slice(at, at + MAX_LINE));
    }
  };
  return new Promise((resolve) => {
    const end = (): void => {
      take(decoder.end());
      if (rest !== "") hand(rest);
      rest = "";
      resolve();
    };
    stream.on("data", (bytes: Buffer) => take(decoder.write(bytes)));
    stream.once("error", end);
    stream.once("close", end);
  });
}
