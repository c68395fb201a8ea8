// What tests of hostile input share.

import { expect, vi } from "vitest";
import type { TestAnswer, TestApi } from "./test-api.ts";

/** The names of the jobs that threads are given from now on. */
export function watchThreads({ ctx: { compute } }: TestApi): readonly string[] {
  const names: string[] = [];
  const computeFor = compute.for.bind(compute);
  vi.spyOn(compute, "for").mockImplementation((caller) => ({
    run: (job, input) => {
      names.push(job.name);
      return computeFor(caller).run(job, input);
    },
  }));
  return names;
}

/** Search in a long list, over and over: each takes few steps of a template, and long. */
export const COSTLY_TEMPLATE = `{% set x=("a"*200000)|list+["b"] %}{% for a in range(100) %}{% for b in range(100) %}{% set y=x.index("b") %}{% endfor %}{% endfor %}`;

/**
 * The steps of a template or the budget of its thread: which of them ends first depends on the
 * machine.
 */
export const TOO_MUCH = /takes (?:too long|more than its budget of 500 ms of CPU time)/;

/** More than could be answered before the other request has reached its handler. */
const MEANWHILE = 10;

/**
 * Sends a request that would keep the event loop busy if it ran there, and one after the other that
 * are answered before it.
 */
export async function answersMeanwhile(
  api: TestApi,
  hostile: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  let isAnswered = false;
  const answer = hostile().finally(() => {
    isAnswered = true;
  });
  for (let i = 0; i < MEANWHILE; i += 1) expect((await api.get("/health")).status).toBe(200);
  expect(isAnswered).toBe(false);
  return answer;
}
