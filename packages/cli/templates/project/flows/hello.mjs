import { pathToFileURL } from "node:url";
import { flow, task } from "@orchestrator/sdk";

const greet = task(
  { name: "greet", retries: 2, retryDelaySeconds: 1 },
  async (/** @type {string} */ name) => {
    console.log(`Hello, ${name}!`);
    return name.length;
  },
);

export const hello = flow(
  {
    name: "hello",
    description: "Greets people",
    parameters: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" }, default: ["world"] } },
      additionalProperties: false,
    },
  },
  async ({ names = ["world"] }) => {
    const lengths = await greet.map(names).results();
    return lengths.reduce((sum, length) => sum + length, 0);
  },
);

// `node flows/hello.mjs` runs it here and now; the server sees the run all the same.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await hello({ names: ["Ada", "Grace"] });
}
