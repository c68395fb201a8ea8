import { expect, test } from "vitest";
import { renewsLeases, takesSlotsItself } from "./client-features.ts";

test("clients renew leases from 3.4.11 on", () => {
  const renewing = [
    [3, 4, 11],
    [3, 4, 12],
    [3, 5, 0],
    [4, 0, 0],
  ];
  const others = [null, [3, 4, 10], [3, 3, 99], [2, 20, 0], [3]];
  expect(renewing.map(renewsLeases)).toEqual(renewing.map(() => true));
  expect(others.map(renewsLeases)).toEqual(others.map(() => false));
});

test("clients up to 3.0.3 take the slots of deployments themselves", () => {
  const taking = [
    [3, 0, 0],
    [3, 0, 3],
  ];
  const others = [null, [3, 0, 4], [3, 4, 11], [2, 0, 0]];
  expect(taking.map(takesSlotsItself)).toEqual(taking.map(() => true));
  expect(others.map(takesSlotsItself)).toEqual(others.map(() => false));
});
