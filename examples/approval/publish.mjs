import { createMarkdown, flow, getLogger, task, waitForInput } from "@orchestrator/sdk";
import { z } from "zod";

const write = task(
  { name: "write" },
  async (/** @type {string} */ topic) => `# ${topic}\n\nAll you need to know about it.\n`,
);

const send = task({ name: "send", retries: 3, retryDelaySeconds: 10 }, async (text) => {
  getLogger().info("Sent %d characters", text.length);
});

export const publish = flow(
  {
    name: "publish",
    parameters: z.object({ topic: z.string().min(1).default("Autumn") }),
  },
  async ({ topic }) => {
    const draft = await write(topic);
    await createMarkdown(draft, { key: "newsletter", description: "Waits for an approval" });
    const { approved, comment } = await waitForInput({
      schema: z.object({ approved: z.boolean(), comment: z.string().default("") }),
      description: `Shall the newsletter about **${topic}** go out?`,
      timeoutSeconds: 3600,
    });
    if (!approved) return `kept back: ${comment}`;
    await send(draft);
    return "published";
  },
);

if (process.argv[1] === import.meta.filename) console.log(await publish());
