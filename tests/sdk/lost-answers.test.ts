import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { flow, getLogger, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { sdkServer } from "./support.ts";

interface LossyWire extends AsyncDisposable {
  readonly url: string;
  readonly lost: () => number;
}

/**
 * Passes requests on, and breaks the connection instead of passing on the first two answers to each
 * kind of report.
 */
async function lossyWire(target: string): Promise<LossyWire> {
  const answers = new Map<string, number>();
  let lost = 0;
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { url: path = "/", method, headers } = asked;
    const onward = request(new URL(path, target), { method, headers }, (reply) => {
      const seen = answers.get(path) ?? 0;
      const isReport = /\/(?:logs\/|events|set_state)$/.test(path);
      answers.set(path, seen + 1);
      if (!isReport || seen >= 2) {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
        return;
      }
      lost += 1;
      // The server has done its work by the time it answers.
      reply.resume().on("end", () => asked.socket.destroy());
    });
    onward.on("error", () => asked.socket.destroy());
    asked.pipe(onward);
  };
  const wire = createServer(pass).listen(0, "127.0.0.1");
  await once(wire, "listening");
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      wire.closeAllConnections();
      wire.close();
      await once(wire, "close");
    },
  };
}

test("answers that are lost on their way double no state, no task run and no log line", async () => {
  await using server = await sdkServer();
  await using wire = await lossyWire(server.url);
  process.env["ORCHESTRATOR_API_URL"] = `${wire.url}/api`;
  const step = task(async function step(n: number) {
    getLogger().info(`step ${n}`);
  });
  const id = await flow({ name: "lossy" }, async () => {
    for (let n = 0; n < 20; n += 1) await step(n);
    return getRunContext().flowRun?.id ?? "";
  })();
  // Two each of the events, the states and the lines.
  expect(wire.lost()).toBe(6);
  const lines = await server.client.logs.list({ logs: { flow_run_id: { any_: [id] } } });
  expect(lines.map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, n) => `step ${n}`),
  );
  const states = await server.client.flowRunStates.list({ flow_run_id: id });
  expect(states.map(({ name }) => name)).toEqual(["Pending", "Running", "Completed"]);
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({ limit: 200 });
    expect(runs).toHaveLength(20);
    for (const run of runs) {
      const kept = await server.client.taskRunStates.list({ task_run_id: run.id });
      expect(kept.map(({ name }) => name)).toEqual(["Running", "Completed"]);
    }
  });
});
