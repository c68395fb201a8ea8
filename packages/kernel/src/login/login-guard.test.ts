import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { type LoginAttempt, LoginGuard } from "./login-guard.ts";

const MINUTE_MS = 60_000;
const wrong = async (): Promise<boolean> => false;
const right = async (): Promise<boolean> => true;

function attempt(given: Partial<LoginAttempt> = {}): LoginAttempt {
  return { address: "192.0.2.1", username: "admin", password: "guess", hash: "h", ...given };
}

async function fail(guard: LoginGuard, times: number, given: (n: number) => Partial<LoginAttempt>) {
  for (let n = 0; n < times; n += 1) await guard.verify(attempt(given(n)), wrong);
}

const isThrottled = { code: "too_many_requests" };

test("waits grow with every failure, up to a quarter of an hour", async () => {
  const clock = manualClock();
  const guard = new LoginGuard(clock);
  await fail(guard, 5, (n) => ({ password: `${n}` }));
  const waits: number[] = [];
  for (let n = 0; n < 14; n += 1) {
    const refused: unknown = await guard.verify(attempt(), wrong).catch((error: unknown) => error);
    const { retryAfterSeconds } = refused as { readonly retryAfterSeconds: number };
    waits.push(retryAfterSeconds);
    clock.advanceMs(retryAfterSeconds * 1000);
    expect(await guard.verify(attempt(), wrong)).toBe(false);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
});

test("failures are forgotten after an hour, and by a success", async () => {
  const clock = manualClock();
  const guard = new LoginGuard(clock);
  await fail(guard, 4, (n) => ({ password: `${n}` }));
  clock.advanceMs(60 * MINUTE_MS);
  await fail(guard, 4, (n) => ({ password: `${n}` }));
  expect(await guard.verify(attempt({ password: "right" }), right)).toBe(true);
  await fail(guard, 4, (n) => ({ password: `${n}` }));
  expect(await guard.verify(attempt(), wrong)).toBe(false);
  await expect(guard.verify(attempt(), wrong)).rejects.toMatchObject(isThrottled);
});

test("one address cannot try one user after the other for ever, and shuts out nobody else", async () => {
  const guard = new LoginGuard(manualClock());
  await fail(guard, 50, (n) => ({ username: `user ${n}` }));
  await expect(guard.verify(attempt({ username: "another" }), wrong)).rejects.toMatchObject(
    isThrottled,
  );
  expect(await guard.verify(attempt({ address: "192.0.2.2" }), right)).toBe(true);
});

test("names of any length are guessed no more often than others", async () => {
  const guard = new LoginGuard(manualClock());
  await fail(guard, 5, (n) => ({ username: `${"a".repeat(10_000)}${n}` }));
  await expect(
    guard.verify(attempt({ username: "a".repeat(10_000) }), wrong),
  ).rejects.toMatchObject(isThrottled);
});

test("the addresses of one IPv6 network count as one", async () => {
  const guard = new LoginGuard(manualClock());
  await fail(guard, 5, (n) => ({ address: `2001:db8:0:1::${n}` }));
  await expect(
    guard.verify(attempt({ address: "2001:db8:0:1:a:b:c:d" }), wrong),
  ).rejects.toMatchObject(isThrottled);
  expect(await guard.verify(attempt({ address: "2001:db8:0:2::1" }), wrong)).toBe(false);
  expect(await guard.verify(attempt({ address: "::ffff:192.0.2.9" }), wrong)).toBe(false);
});

test("credentials that were right are known again for a minute, while their hash stays", async () => {
  const clock = manualClock();
  const guard = new LoginGuard(clock);
  expect(await guard.verify(attempt(), right)).toBe(true);
  expect(await guard.verify(attempt(), wrong)).toBe(true);
  expect(await guard.verify(attempt({ hash: "another" }), wrong)).toBe(false);
  expect(await guard.verify(attempt({ username: "root" }), wrong)).toBe(false);
  clock.advanceMs(MINUTE_MS);
  expect(await guard.verify(attempt(), wrong)).toBe(false);
});

test("more than a few dozen tries at once are not waited for", async () => {
  const guard = new LoginGuard(manualClock());
  let resolve = (_isRight: boolean): void => {};
  const promise = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  const waiting = Array.from({ length: 64 }, (_, n) =>
    guard.verify(attempt({ address: `192.0.2.${n}`, password: `${n}` }), () => promise),
  );
  await expect(guard.verify(attempt({ address: "198.51.100.1" }), wrong)).rejects.toMatchObject({
    code: "unavailable",
  });
  resolve(false);
  expect(await Promise.all(waiting)).not.toContain(true);
});
