import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const ARTIFACT: readonly Word[] = [
  word("ls", "List artifacts, the latest of each key", async () =>
    (await verbs()).listArtifactsCommand(),
  ),
  word("inspect", "Show an artifact with what it holds", async () =>
    (await verbs()).inspectArtifactCommand(),
  ),
  word("delete", "Delete an artifact: one version by its id, or all of a key", async () =>
    (await verbs()).deleteArtifactCommand(),
  ),
];
