import { type Word, word } from "../../word.ts";

const shells = () => import("./shells.ts");

/** Shells are told of every word there is. */
export const completionOf = (nouns: readonly Word[]): readonly Word[] => [
  word("bash", "For bash: source <(orchestrator completion bash)", async () =>
    (await shells()).bash(nouns),
  ),
  word("zsh", "For zsh: source <(orchestrator completion zsh)", async () =>
    (await shells()).zsh(nouns),
  ),
  word("fish", "For fish: orchestrator completion fish | source", async () =>
    (await shells()).fish(nouns),
  ),
];
