// The door to callers: who asks, in which workspace, with which quotas, and the service that
// answers.

export { authModeSetting, hasAccounts } from "./scope/auth-mode-setting.ts";
export { basicText, bearerToken } from "./scope/authorization.ts";
export {
  type ActingService,
  AUTH_MODES,
  type AuthMode,
  allowsAnonymous,
  type Gate,
  openGate,
  serviceCaller,
} from "./scope/gate.ts";
export { passwordGate } from "./scope/password-gate.ts";
export { type Caller, openScope, type Scope } from "./scope/scope.ts";
export { namedWorkspace } from "./scope/workspace-path.ts";
export { type Allowance, noQuotas, type Quotas, type UsedUp } from "./service/quotas.ts";
export type { Service, ServiceHost, StartNotice } from "./service/service.ts";
