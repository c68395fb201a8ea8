// Stops with one sentence where Node is too old; imported before anything that needs a newer one.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
const needed = engines.node.replace(">=", "");
const [major, minor] = needed.split(".").map(Number);
const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`Node ${needed} or newer is needed, and this is Node ${process.versions.node}.`);
  process.exit(1);
}
