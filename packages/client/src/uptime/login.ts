import type { LoginRequest, LoginSession } from "@orchestrator/contract";
import { get, post, trigger } from "../transport/operation.ts";

/** Sessions are for browsers, which keep their cookie; programs give `basic` instead. */
export const login = {
  logIn: post<(account: LoginRequest) => LoginSession>("/login"),
  logOut: trigger<() => void>("/logout"),
  /** Who is logged in. */
  readSession: get<() => LoginSession>("/session"),
};

export const uptimeServer = {
  /** True when the server answers. */
  health: get<() => boolean>("/health"),
};
