import { group, type Word, word } from "../../word.ts";

const create = () => import("./create.ts");
const register = () => import("./register.ts");
const type = () => import("./type.ts");
const verbs = () => import("./verbs.ts");

export const BLOCK: readonly Word[] = [
  word("ls", "List blocks", async () => (await verbs()).listBlocksCommand()),
  word("inspect", "Show a block, its secrets masked", async () =>
    (await verbs()).inspectBlockCommand(),
  ),
  word("create", "Create a block", async () => (await create()).createBlockCommand()),
  word("register", "Register types of blocks that a file describes", async () =>
    (await register()).registerBlockTypesCommand(),
  ),
  word("delete", "Delete a block", async () => (await verbs()).deleteBlockCommand()),
  group(
    "type",
    "What kinds of blocks there are",
    [
      word("ls", "List the types of blocks", async () => (await type()).listBlockTypesCommand()),
      word("inspect", "Show a type and what its blocks hold", async () =>
        (await type()).inspectBlockTypeCommand(),
      ),
    ],
    ["types"],
  ),
];
