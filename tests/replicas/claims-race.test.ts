// Many workers at several servers want the same runs: each run gets exactly one of them.
import { expect, test } from "vitest";
import { startSeveral } from "../support/several-servers.ts";

const SERVERS = 3;
const CLAIMERS = 8;
/** `CLAIM_RACE_RUNS=1000 npx vitest run tests/replicas/claims-race.test.ts` for more of them. */
const RUNS = Number(process.env["CLAIM_RACE_RUNS"] ?? 200);
const AT_ONCE = 8;

interface Answer {
  readonly status: string;
  readonly state: { readonly id: string } | null;
}

test("of 8 claimers at 3 servers one gets each run", { timeout: RUNS * 600 }, async () => {
  await using t = await startSeveral(SERVERS);
  const flow_id = await t.made("/flows/", { name: "etl" });
  const client = (n: number) => t.clients[n % SERVERS] ?? t.clients[0];

  const race = async (n: number): Promise<void> => {
    const id = await t.made("/flow_runs/", { flow_id, state: { type: "SCHEDULED" } });
    const claims = Array.from({ length: CLAIMERS }, async (_, claimer) => {
      const state = { type: "PENDING", state_details: { transition_id: crypto.randomUUID() } };
      const answer = await client(n + claimer)?.send("POST", `/api/flow_runs/${id}/set_state`, {
        state,
      });
      return answer?.json<Answer>();
    });
    const answers = await Promise.all(claims);
    const owners = answers.filter((answer) => answer?.status === "ACCEPT");
    expect(owners).toHaveLength(1);
    expect(answers.filter((answer) => answer?.status === "ABORT")).toHaveLength(CLAIMERS - 1);
    const states = await client(n)?.get(`/api/flow_run_states/?flow_run_id=${id}`);
    expect(states?.json<{ id: string; type: string }[]>()).toMatchObject([
      { type: "SCHEDULED" },
      { type: "PENDING", id: owners[0]?.state?.id },
    ]);
  };

  for (let n = 0; n < RUNS; n += AT_ONCE) {
    const count = Math.min(AT_ONCE, RUNS - n);
    await Promise.all(Array.from({ length: count }, (_, index) => race(n + index)));
  }
});
