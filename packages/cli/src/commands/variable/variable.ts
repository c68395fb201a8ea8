import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const VARIABLE: readonly Word[] = [
  word("ls", "List variables", async () => (await verbs()).listVariablesCommand()),
  word("get", "Print the value of a variable", async () => (await verbs()).getVariableCommand()),
  word("inspect", "Show everything about a variable", async () =>
    (await verbs()).inspectVariableCommand(),
  ),
  word("set", "Create a variable, or change one", async () => (await verbs()).setVariableCommand()),
  word("unset", "Delete a variable", async () => (await verbs()).deleteVariableCommand(), [
    "delete",
  ]),
];
