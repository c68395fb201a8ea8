import { type Word, word } from "../../word.ts";

const serve = () => import("./serve.ts");
const watch = () => import("./watch.ts");

export const SHELL: readonly Word[] = [
  word("watch", "Run a command of the shell as a flow run; its exit code becomes ours", async () =>
    (await watch()).watchShellCommand(),
  ),
  word("serve", "Make a deployment of a command of the shell and execute its runs here", async () =>
    (await serve()).serveShellCommand(),
  ),
];
