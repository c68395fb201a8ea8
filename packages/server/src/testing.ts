// For tests of the whole program.
export { type OpenIdProvider, openIdProvider } from "./testing/openid-provider.ts";
