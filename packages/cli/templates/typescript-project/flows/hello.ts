import { pathToFileURL } from "node:url";
import { flow, task } from "@orchestrator/sdk";

interface Parameters {
  names?: string[];
}

const greet = task({ name: "greet", retries: 2, retryDelaySeconds: 1 }, async (name: string) => {
  console.log(`Hello, ${name}!`);
  return name.length;
});

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
  async ({ names = ["world"] }: Parameters) => {
    const lengths = await greet.map(names).results();
    return lengths.reduce((sum, length) => sum + length, 0);
  },
);

// `npm run hello` runs it here and now; the server sees the run all the same.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await hello({ names: ["Ada", "Grace"] });
}
