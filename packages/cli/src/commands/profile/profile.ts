import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const PROFILE: readonly Word[] = [
  word("ls", "List profiles", async () => (await verbs()).ls()),
  word("create", "Create a profile", async () => (await verbs()).create()),
  word("use", "Put another profile to use", async () => (await verbs()).use()),
  word("inspect", "Show the settings of a profile", async () => (await verbs()).inspect()),
  word("rename", "Give a profile another name", async () => (await verbs()).rename()),
  word("delete", "Delete a profile", async () => (await verbs()).remove()),
];
