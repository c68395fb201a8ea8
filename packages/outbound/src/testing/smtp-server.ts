// A mail server on a socket that keeps what it is given and says what the test wants it to say.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { TEST_CERTIFICATE } from "./test-certificate.ts";

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, dots unstuffed. */
  readonly text: string;
  readonly isEncrypted: boolean;
  /** What the sender signed in with, decoded. */
  readonly signIn: string | null;
}

export interface SmtpServerOptions {
  readonly offers?: readonly string[];
  /** Encrypted from the first byte. */
  readonly tls?: boolean;
  /** What is answered in the place of the usual; null hangs up. */
  readonly answer?: (line: string) => string | null | undefined;
}

export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: TakenMail[];
  readonly lines: string[];
}

export async function startSmtpServer({
  offers = ["PIPELINING"],
  tls = false,
  answer = () => undefined,
}: SmtpServerOptions = {}): Promise<SmtpServer> {
  const mails: TakenMail[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();

  const encrypted = (plain: Socket): TLSSocket =>
    new TLSSocket(plain, { isServer: true, ...TEST_CERTIFICATE });

  const serve = (socket: Socket, isEncrypted: boolean): void => {
    let text = "";
    let data: string[] | null = null;
    let from = "";
    let to: string[] = [];
    let signIn: string | null = null;
    let login: string[] | null = null;
    const say = (...replies: readonly string[]): void => {
      for (const reply of replies) socket.write(`${reply}\r\n`);
    };
    const take = (line: string): void => {
      if (data !== null) {
        if (line !== ".") {
          data.push(line.startsWith(".") ? line.slice(1) : line);
          return;
        }
        const mail = { from, to, text: data.join("\r\n"), isEncrypted, signIn };
        data = null;
        to = [];
        const other = answer("<mail>");
        if (other === null) {
          socket.destroy();
          return;
        }
        if (other === undefined || other.startsWith("250")) mails.push(mail);
        say(other ?? "250 taken");
        return;
      }
      lines.push(line);
      const other = answer(line);
      if (other === null) {
        socket.destroy();
        return;
      }
      if (other !== undefined) {
        say(other);
        return;
      }
      if (login !== null) {
        login.push(decoded(line));
        if (login.length === 1) say("334 UGFzc3dvcmQ6");
        else {
          signIn = login.join(" ");
          login = null;
          say("235 welcome");
        }
        return;
      }
      const [verb = "", rest = ""] = line.split(/ (.*)/s);
      if (verb === "EHLO") {
        const open = isEncrypted ? offers.filter((offer) => offer !== "STARTTLS") : offers;
        const all = ["test greets you", ...open];
        say(...all.map((offer, index) => `250${index === all.length - 1 ? " " : "-"}${offer}`));
      } else if (verb === "STARTTLS") {
        say("220 go ahead");
        socket.removeAllListeners("data");
        serve(encrypted(socket), true);
      } else if (verb === "AUTH" && rest.startsWith("PLAIN ")) {
        signIn = decoded(rest.slice("PLAIN ".length)).split("\0").slice(1).join(" ");
        say("235 welcome");
      } else if (verb === "AUTH") {
        login = [];
        say("334 VXNlcm5hbWU6");
      } else if (verb === "MAIL") {
        from = /<(.*)>/.exec(rest)?.[1] ?? "";
        say("250 ok");
      } else if (verb === "RCPT") {
        to.push(/<(.*)>/.exec(rest)?.[1] ?? "");
        say("250 ok");
      } else if (verb === "DATA") {
        data = [];
        say("354 go on");
      } else if (verb === "QUIT") {
        socket.end("221 bye\r\n");
      } else say("500 what?");
    };
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        take(line);
      }
    });
    if (!isEncrypted || tls) {
      const greeting = answer("<connect>");
      if (greeting === null) socket.destroy();
      else say(greeting ?? "220 test");
    }
  };

  const server = createServer((plain) => {
    sockets.add(plain);
    plain.on("error", () => {});
    plain.on("close", () => sockets.delete(plain));
    if (tls) serve(encrypted(plain), true);
    else serve(plain, false);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    lines,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const decoded = (text: string): string => Buffer.from(text, "base64").toString("utf8");
