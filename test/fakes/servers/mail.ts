/** A mail server that takes what it is told to take, and fails as real ones do: 451, 550, or no response at all. */
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";

export interface TakenMail {
  from: string;
  to: string[];
  /** As it travelled. */
  raw: string;
  /** When the connection was opened that it came by. */
  since_ms: number;
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

interface FakeMailGiven {
  /** Nobody sends without it. */
  password?: string;
  /** Hears of every mail that was taken. */
  took?(mail: TakenMail): void;
}

export async function fakeMailServer(given: FakeMailGiven = {}): Promise<FakeMailServer> {
  const sockets = new Set<Socket>();
  const since = new Map<string, number>();
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
    onConnect(session, done) {
      since.set(session.id, Date.now());
      done(fake.isDown ? Object.assign(new Error("closed for today"), { responseCode: 421 }) : null);
    },
    onClose: ({ id }) => void since.delete(id),
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
        const mail = {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((it) => it.address),
          raw: Buffer.concat(parts).toString("utf8"),
          since_ms: since.get(session.id) ?? 0,
        };
        fake.mails.push(mail);
        given.took?.(mail);
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

/** A reply as a mail program writes it; `headers` replace or follow what it would say. */
export function replyTo(mail: TakenMail, text: string, headers: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = {
    "Return-Path": "<ana@example.com>",
    From: "Ana <ana@example.com>",
    To: headerOf(mail, "Reply-To") ?? "",
    Subject: `Re: ${headerOf(mail, "Subject")}`,
    "Message-ID": `<reply-${Math.random().toString(36).slice(2)}@example.com>`,
    "In-Reply-To": headerOf(mail, "Message-ID") ?? "",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${lines.join("\r\n")}\r\n\r\n${text}\r\n\r\nOn Mon, Nov 16, 2026, Oddjobs wrote:\r\n> 2\r\n`;
}

/** The text of a mail, decoded. */
export function textOf({ raw }: TakenMail): string {
  const [, part = ""] = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw) ?? [];
  return decoded(
    part,
    /Content-Transfer-Encoding: (\S+)/i.exec(raw.slice(raw.indexOf("text/plain")))?.[1] ?? "",
  );
}

function decoded(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, "base64").toString("utf8");
  if (!/quoted/i.test(encoding)) return text;
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The links of a mail, in the order of its options; the last is the page with all of them. */
export function linksOf(mail: TakenMail): string[] {
  return textOf(mail).match(/https?:\/\/\S+\/a\/\S+/g) ?? [];
}
