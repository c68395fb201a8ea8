import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { namedWorkspace, plainUrl } from "./workspace-path.ts";

const A = "11111111-1111-4111-8111-11111111111a";
const W = "22222222-2222-4222-8222-22222222222b";

const requestFor = (url: string): IncomingMessage => {
  const request = { url } as IncomingMessage & { originalUrl?: string };
  request.originalUrl = url;
  request.url = plainUrl(request);
  return request;
};

test.each([
  [`/api/accounts/${A}/workspaces/${W}/flows/filter`, "/api/flows/filter"],
  [`/api/accounts/${A}/workspaces/${W}/quotas-else`, "/api/quotas-else"],
  [`/api/accounts/${A}/workspaces/${W}/flows?limit=1`, "/api/flows?limit=1"],
  [`/uptime/api/accounts/${A.toUpperCase()}/workspaces/${W}/monitors`, "/uptime/api/monitors"],
])("%s is routed as %s, in the workspace it names", (url, plain) => {
  const request = requestFor(url);
  expect(request.url).toBe(plain);
  expect(namedWorkspace(request)).toEqual({ accountId: A, workspaceId: W });
});

test.each([
  "/api/flows/filter",
  `/api/accounts/${A}/workspaces/${W}`,
  `/api/accounts/${A}/workspaces/${W}/`,
  `/api/accounts/${A}/workspaces/${W}?x=1`,
  `/api/accounts/${A}/workspaces/${W}/quotas`,
  `/api/accounts/${A}/workspaces`,
  `/api/accounts/me/workspaces/${W}/flows`,
  `/api/flows?at=/accounts/${A}/workspaces/${W}/flows`,
])("%s is left as it is", (url) => {
  const request = requestFor(url);
  expect(request.url).toBe(url);
  expect(namedWorkspace(request)).toBeNull();
});
