import type { HttpClient } from "./http-client.ts";
import { variableStateOf } from "./ledger.ts";

interface Variable {
  readonly name: string;
  readonly value: unknown;
  readonly tags: readonly string[];
}

const PAGE = 200;

/** Content by name, as the API shows it. */
export async function listVariables(client: HttpClient): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let offset = 0; ; offset += PAGE) {
    const answer = await client.send("POST", "/api/variables/filter", { limit: PAGE, offset });
    if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.text}`);
    const page = answer.json<Variable[]>();
    for (const variable of page) found.set(variable.name, variableStateOf(variable));
    if (page.length < PAGE) return found;
  }
}
