import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const CONFIG: readonly Word[] = [
  word("set", "Store settings in the profile in use", async () =>
    (await verbs()).setConfigCommand(),
  ),
  word("unset", "Take settings out of the profile in use", async () =>
    (await verbs()).unsetConfigCommand(),
  ),
  word("view", "Show the settings in use and where they come from", async () =>
    (await verbs()).viewConfigCommand(),
  ),
  word("validate", "Check the profiles, the environment and whether the server answers", async () =>
    (await verbs()).validateConfigCommand(),
  ),
];
