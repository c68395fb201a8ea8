import type { Interface } from "node:readline/promises";
import { UsageError } from "../output/fail.ts";

/** What is answered; an error where somebody leaves instead, by Ctrl-C or Ctrl-D. */
export async function answerTo(reader: Interface, question: string): Promise<string> {
  const left = new Promise<never>((_resolve, reject) => {
    reader.once("close", () => reject(new Error("closed")));
  });
  try {
    return await Promise.race([reader.question(question), left]);
  } catch {
    throw new UsageError("Nothing was changed");
  }
}
