// Scripts for shells. Each walks the words that are there already to find out which command it is
// in, and offers what may follow. Nothing is started while somebody types.

import { everyNode, type Node } from "./command-tree.ts";

/** A text as shells of all kinds take it literally. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

/** `' flow') or ' flows'` → the path of `flow`, for each command. */
const steps = (root: Node): { readonly from: string[]; readonly to: string }[] =>
  everyNode(root).flatMap((node) =>
    node.children.map((child) => ({
      from: child.names.map((name) => `${node.path} ${name}`.trim()),
      to: child.path,
    })),
  );

const wordsOf = (node: Node): string =>
  [
    ...node.children.map(({ names }) => names[0] ?? ""),
    ...node.options.map(({ name }) => name),
  ].join(" ");

export function bashScript(root: Node): string {
  const moves = steps(root).map(
    ({ from, to }) => `      ${from.map(quoted).join("|")}) at=${quoted(to)} ;;`,
  );
  const offers = everyNode(root).map(
    (node) => `    ${quoted(node.path)}) words=${quoted(wordsOf(node))} ;;`,
  );
  return `# Completion for bash: put this into ~/.bashrc
#   source <(orchestrator completion bash)
_orchestrator() {
  local at="" words="" word trail
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    trail="\${at:+$at }$word"
    case "$trail" in
${moves.join("\n")}
    esac
  done
  case "$at" in
${offers.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _orchestrator orchestrator
`;
}

export function zshScript(root: Node): string {
  const moves = steps(root).map(
    ({ from, to }) => `      ${from.map(quoted).join("|")}) at=${quoted(to)} ;;`,
  );
  const entry = (name: string, about: string): string =>
    quoted(`${name}:${firstLine(about).replaceAll(":", "\\:")}`);
  const offers = everyNode(root).map((node) => {
    const commands = node.children.map(({ names, about }) => entry(names[0] ?? "", about));
    const options = node.options.map(({ name, about }) => entry(name, about));
    // Where another word must follow no file is meant.
    const files = commands.length === 0 ? " files=1" : "";
    return `    ${quoted(node.path)}) entries=(${[...commands, ...options].join(" ")})${files} ;;`;
  });
  return `#compdef orchestrator
# Completion for zsh: put this into ~/.zshrc, after compinit
#   source <(orchestrator completion zsh)
_orchestrator() {
  local at="" files="" word trail
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    trail="\${at:+$at }$word"
    case "$trail" in
${moves.join("\n")}
    esac
  done
  case "$at" in
${offers.join("\n")}
  esac
  _describe 'orchestrator' entries
  [[ -z $files ]] || _files
}
compdef _orchestrator orchestrator
`;
}

export function fishScript(root: Node): string {
  const moves = steps(root).map(
    ({ from, to }) => `      case ${from.map(quoted).join(" ")}\n        set at ${quoted(to)}`,
  );
  const offers = everyNode(root).flatMap((node) => {
    const when = `-n ${quoted(`__orchestrator_at "${node.path}"`)}`;
    return [
      ...(node.children.length > 0 ? [`complete -c orchestrator ${when} -f`] : []),
      ...node.children.map(
        ({ names, about }) =>
          `complete -c orchestrator ${when} -a ${quoted(names[0] ?? "")} -d ${quoted(firstLine(about))}`,
      ),
      ...node.options.map(
        ({ name, about }) =>
          `complete -c orchestrator ${when} -l ${quoted(name.replace(/^--/, ""))} -d ${quoted(firstLine(about))}`,
      ),
    ];
  });
  return `# Completion for fish: put this into ~/.config/fish/config.fish
#   orchestrator completion fish | source
function __orchestrator_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch (string trim "$at $word")
${moves.join("\n")}
    end
  end
  test "$at" = "$argv[1]"
end
${offers.join("\n")}
`;
}
