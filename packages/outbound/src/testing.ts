export { type HttpReceiver, startReceiver } from "./testing/http-receiver.ts";
export {
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "./testing/make-certificate.ts";
export { type NameServer, startNameServer } from "./testing/name-server.ts";
export { startSmtpServer } from "./testing/smtp-server.ts";
