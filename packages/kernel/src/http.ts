// The door to HTTP: the app, routes, websockets, sign-in, and fair shares of the server.

export { FairShare } from "./fair-share/fair-share.ts";
export { fairShareSettings } from "./fair-share/fair-share-settings.ts";
export { type IsExpensive, installFairShare } from "./fair-share/install-fair-share.ts";
export { TokenBuckets, type TokenRate, type TokensLeft } from "./fair-share/token-buckets.ts";
export { textAnswer } from "./http/answers.ts";
export { clientDisconnected } from "./http/client-disconnected.ts";
export { takesGzip } from "./http/compression.ts";
export { httpStatusOf } from "./http/error-handler.ts";
export { type HostNames, hostNames } from "./http/host-names.ts";
export { InvalidRequestError, type RequestProblem } from "./http/invalid-request.ts";
export { sendJsonText } from "./http/json-reply.ts";
export { normaliseUuid } from "./http/lax-uuid.ts";
export { maskSecrets } from "./http/masking.ts";
export { mountMetrics } from "./http/metrics-route.ts";
export { type ApiInstance, type MountedApi, mountApi } from "./http/mount-api.ts";
export { trustedProxies } from "./http/trusted-proxies.ts";
export { closeHttpApp } from "./http-app/close-http-app.ts";
export { createHttpApp, type HttpApp } from "./http-app/create-http-app.ts";
export { isFromElsewhere, refuseForged } from "./login/cross-site.ts";
export { LoginGuard } from "./login/login-guard.ts";
export { type SecretCookie, secretCookie } from "./login/session-cookie.ts";
export { CLOSE } from "./sockets/close-codes.ts";
export { createReader, type MessageReader, type MessageReading } from "./sockets/json-message.ts";
export type { ServerSocket } from "./sockets/peer-socket.ts";
export { type SocketRouteOptions, socketRoute } from "./sockets/socket-route.ts";
