import { type Word, word } from "../../word.ts";

const serve = () => import("./serve.ts");
const verbs = () => import("./verbs.ts");

export const FLOW: readonly Word[] = [
  word("ls", "List flows, the latest first", async () => (await verbs()).listFlowsCommand()),
  word("inspect", "Show a flow and how much there is of it", async () =>
    (await verbs()).inspectFlowCommand(),
  ),
  word("serve", "Make a deployment of a flow and execute its runs in this process", async () =>
    (await serve()).serveFlowCommand(),
  ),
  word("delete", "Delete a flow with its deployments and runs", async () =>
    (await verbs()).deleteFlowCommand(),
  ),
];
