// `node --import @orchestrator/sdk/typescript flow.ts`: lets this process read TypeScript from here
// on.

import { readTypeScript } from "./typescript/read-typescript.ts";

readTypeScript();
