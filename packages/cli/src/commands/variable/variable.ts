import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const VARIABLE: readonly Word[] = [
  word("ls", "List variables", async () => (await verbs()).ls()),
  word("get", "Print the value of a variable", async () => (await verbs()).get()),
  word("inspect", "Show everything about a variable", async () => (await verbs()).inspect()),
  word("set", "Create a variable, or change one", async () => (await verbs()).set()),
  word("unset", "Delete a variable", async () => (await verbs()).unset(), ["delete"]),
];
