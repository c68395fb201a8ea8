import { type Word, word } from "../../word.ts";

const verbs = () => import("./verbs.ts");

export const PROFILE: readonly Word[] = [
  word("ls", "List profiles", async () => (await verbs()).listProfilesCommand()),
  word("create", "Create a profile", async () => (await verbs()).createProfileCommand()),
  word("use", "Put another profile to use", async () => (await verbs()).useProfileCommand()),
  word("inspect", "Show the settings of a profile", async () =>
    (await verbs()).inspectProfileCommand(),
  ),
  word("rename", "Give a profile another name", async () => (await verbs()).renameProfileCommand()),
  word("delete", "Delete a profile", async () => (await verbs()).deleteProfileCommand()),
];
