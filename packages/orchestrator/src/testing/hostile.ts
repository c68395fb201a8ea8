// What tests of hostile input share.

import { expect } from "vitest";
import type { TestAnswer, TestApi } from "./test-api.ts";

/** More than could be answered before the other request has reached its handler. */
const MEANWHILE = 10;

/** Sends a request that would keep the event loop busy if it ran there, and one after the other that are answered before it. */
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
