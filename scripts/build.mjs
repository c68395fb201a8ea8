// npm run build: installs what is missing and compiles what has changed.
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";

await ensureInstalled("runtime");
await ensureBuilt();
