export { addressKind } from "./address-kinds.ts";
export { type TlsFacts, tlsFacts, trusting } from "./certificate.ts";
export { type DecodedBody, decodeBody } from "./decode-body.ts";
export type { HostResolver } from "./host-resolver.ts";
export {
  type CallAnswer,
  type CallReport,
  type CallTimings,
  callHttp,
  type HttpCall,
} from "./http-call.ts";
export { hostOf, parseOutboundUrl, portOf } from "./http-headers.ts";
export { type OutboundAnswer, originOf, sendRequest } from "./http-request.ts";
export { createNameResolver } from "./name-resolver.ts";
export { openConnection, secured } from "./open-connection.ts";
export { OutboundError } from "./outbound-error.ts";
export {
  type Destination,
  type OutboundPolicy,
  receiveDestination,
  refusalOf,
} from "./outbound-policy.ts";
export { retryAfterMicros } from "./retry-after.ts";
export { type MailAddress, parseMailAddress } from "./smtp/mail-address.ts";
export { type Mail, mailText } from "./smtp/mail-message.ts";
export { MailRefused, type MailServer, sendMail } from "./smtp/send-mail.ts";
export { withTimeLimits } from "./within.ts";
