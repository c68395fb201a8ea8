import { dirname } from "node:path";
import { expect, test } from "vitest";
import { findPrefect } from "../compat/find-prefect.ts";
import { walkTutorial } from "./walk.ts";

const found = findPrefect();
/** The client is there already, whichever version it is. */
const INSTALLATION = /^(?:python3 -m venv|source|pip install) /;

test.skipIf(found.python === null)(
  "a reader of the tutorial points Prefect's client at the server, and has its worker run a flow",
  { timeout: 900_000 },
  async () => {
    expect(found.python).not.toBeNull();
    await walkTutorial("tutorials/prefect-client.md", {
      lasting: /worker start/,
      skipped: INSTALLATION,
      env: {
        PREFECT_CLI_COLORS: "false",
        PREFECT_SERVER_ANALYTICS_ENABLED: "false",
        DO_NOT_TRACK: "1",
        // Else its tables cut names short.
        COLUMNS: "250",
      },
      path: [dirname(found.python ?? "")],
      examples: {
        "3.9.0": /3\.\S+/,
        "misty-frog": /[a-z]+-[a-z]+/,
        "frank-shark": /[a-z]+-[a-z]+/,
        "greet-a10": /greet-[\da-f]+/,
        "16 seconds": /\d+ \w+/,
      },
    });
  },
);
