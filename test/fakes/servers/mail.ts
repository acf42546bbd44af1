/** A mail server that takes what it is told to take, and fails as real ones do: 451, 550, or no response at all. */
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";

export interface TakenMail {
  from: string;
  to: string[];
  /** As it travelled. */
  raw: string;
}

/** `lost`: it takes the mail, and the connection breaks before it says so. */
export type Fault = "lost" | { code: number; text: string };

export interface FakeMailServer {
  port: number;
  url: string;
  /** Everything it took, oldest first. */
  mails: TakenMail[];
  /** How often somebody began to hand over a mail. */
  tries: number;
  /** What happens to the next mails, one each. */
  faults: Fault[];
  /** Nobody gets in until it is set back: the server is down. */
  isDown: boolean;
  close(): Promise<void>;
}

/** With `password`, nobody sends without it. */
export async function fakeMailServer(given: { password?: string } = {}): Promise<FakeMailServer> {
  const sockets = new Set<Socket>();
  const fake: FakeMailServer = { port: 0, url: "", mails: [], tries: 0, faults: [], isDown: false, close };
  const server = new SMTPServer({
    authOptional: given.password === undefined,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _, done) {
      if (password === given.password) done(null, { user: username ?? "" });
      else done(Object.assign(new Error("wrong password"), { responseCode: 535 }));
    },
    onConnect(_, done) {
      done(fake.isDown ? Object.assign(new Error("closed for today"), { responseCode: 421 }) : null);
    },
    onMailFrom(_, __, done) {
      fake.tries++;
      const [fault] = fake.faults;
      if (fault === undefined || fault === "lost") return done();
      fake.faults.shift();
      done(Object.assign(new Error(fault.text), { responseCode: fault.code }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.once("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        fake.mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((it) => it.address),
          raw: Buffer.concat(parts).toString("utf8"),
        });
        if (fake.faults[0] !== "lost") return done();
        fake.faults.shift();
        for (const socket of sockets) socket.destroy();
      });
    },
  });
  server.on("error", () => {}); // a client that hangs up
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  fake.port = (server.server.address() as AddressInfo).port;
  fake.url = `smtp://127.0.0.1:${fake.port}`;

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return fake;
}

/** A header of a mail as it travelled, unfolded; null if there is none. */
export function headerOf({ raw }: Pick<TakenMail, "raw">, name: string): string | null {
  const [head = ""] = raw.split("\r\n\r\n");
  const found = new RegExp(`^${name}:[ \\t]*(.*(?:\\r\\n[ \\t].*)*)`, "im").exec(head);
  return found ? (found[1] ?? "").replace(/\r\n[ \t]+/g, " ").trim() : null;
}
