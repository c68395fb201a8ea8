import pg from "pg";
import { expect, test } from "vitest";
import { AppError } from "../../errors/app-error.ts";
import { fromPostgresError, isCollision, isStatementError } from "./postgres-errors.ts";

const withCode = (code: string): Error => Object.assign(new Error("from the driver"), { code });

test.each([
  ["unique violation", withCode("23505"), "conflict"],
  ["foreign key violation", withCode("23503"), "conflict"],
  ["deadlock", withCode("40P01"), "unavailable"],
  ["connection exception", withCode("08006"), "unavailable"],
  ["too many connections", withCode("53300"), "unavailable"],
  ["disk full", withCode("53100"), "unavailable"],
  ["statement timeout", withCode("57014"), "unavailable"],
  ["shutdown", withCode("57P01"), "unavailable"],
  ["start-up", withCode("57P03"), "unavailable"],
  ["read-only standby", withCode("25006"), "unavailable"],
  ["refused socket", withCode("ECONNREFUSED"), "unavailable"],
  ["lost connection", new Error("Connection terminated unexpectedly"), "unavailable"],
  ["no free connection", new Error("timeout exceeded when trying to connect"), "unavailable"],
  ["slow connection", new Error("timeout expired"), "unavailable"],
  ["zero byte", withCode("22021"), "invalid"],
])("calls a %s by the kernel's word", (_name, error, code) => {
  expect(fromPostgresError(error)).toMatchObject({ name: "AppError", code, cause: error });
});

test.each([
  ["mistake in the SQL", withCode("42601")],
  ["check violation", withCode("23514")],
  ["refusal of our own", new AppError("not_found", "not there")],
  ["error of no driver", new Error("second thoughts")],
  ["thrown text", "second thoughts"],
])("passes on a %s as it is", (_name, error) => {
  expect(fromPostgresError(error)).toBe(error);
});

test("tells collisions from other refusals", () => {
  expect(["40001", "40P01", "23505", "57P01"].map((code) => isCollision(withCode(code)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const told = (severity: string, code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError("from the server", 0, "error"), { severity, code });

test.each([
  ["a row that is there already", told("ERROR", "23505"), true],
  ["a disk that is full for a statement", told("ERROR", "53100"), true],
  ["a disk that is full for the log", told("PANIC", "53100"), false],
  ["a transaction that took too long", told("FATAL", "25P04"), false],
  ["a server that breaks down", told("PANIC", "XX000"), false],
  ["a shutdown", told("FATAL", "57P01"), false],
  ["a lost connection", new Error("Connection terminated unexpectedly"), false],
])("knows whether nothing is left after %s", (_name, error, isNothingLeft) => {
  expect(isStatementError(error)).toBe(isNothingLeft);
});

test("calls a server that breaks down unavailable, whatever its code says", () => {
  expect(fromPostgresError(told("PANIC", "XX000"))).toMatchObject({ code: "unavailable" });
});
