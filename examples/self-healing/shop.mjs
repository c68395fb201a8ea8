// The service to be kept alive. It leaves its number in a file, so that you can kill it.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, pidFile] = process.argv.slice(2);
createServer((_, answer) => answer.end("open\n")).listen(Number(port), "127.0.0.1", () => {
  writeFileSync(pidFile, String(process.pid));
});
