/** Reads a mailbox with imapflow: what is unread first, then what comes in. Connects again by itself, for ever. */
import { ImapFlow } from "imapflow";
import type { MailboxGiven, MailReader } from "../../channel-ports.ts";
import type { Clock, Journal } from "../../ports.ts";
import { readMail } from "../mime/read-mail.ts";
import { isHere } from "../system/is-here.ts";

const RETRIES_MS = [1000, 2000, 5000, 10_000, 30_000];
/** A mail that could not be dealt with is looked at again after this. */
const AGAIN_MS = 15_000;
/** A larger mail is read up to here. */
const MAX_BYTES = 10 * 1024 * 1024;

export function imapReader(
  given: MailboxGiven,
  { clock, journal }: { clock: Clock; journal: Journal },
): MailReader {
  const closing = new AbortController();
  let trouble: string | null = "not connected yet";
  let current: ImapFlow | null = null;
  const running = run();

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await stay(() => {
          failures = 0;
        });
      } catch (error) {
        trouble = wordsOf(error as Error);
        if (failures === 0 && !closing.signal.aborted)
          journal.warn("the mailbox can't be read", { error: trouble });
      }
      await pause(RETRIES_MS[Math.min(failures, RETRIES_MS.length - 1)] ?? 0);
    }
  }

  /** One connection, until it breaks. */
  async function stay(connected: () => void): Promise<void> {
    const client = await makeClient(given);
    current = client;
    client.on("error", () => {}); // it is also what the commands in progress reject with
    try {
      await client.connect();
      await client.mailboxOpen(given.folder);
      trouble = null;
      connected();
      let isNew = false;
      const wake = () => {
        isNew = true;
        client.noop().catch(() => {}); // any command ends the waiting
      };
      client.on("exists", wake);
      while (!closing.signal.aborted) {
        isNew = false;
        const isDone = await readNew(client);
        if (isNew) continue; // it came while we read
        const disarm = isDone ? () => {} : clock.after(AGAIN_MS, wake);
        await client.idle().finally(disarm);
        if (!client.usable) throw new Error("the connection was lost");
      }
    } finally {
      current = null;
      client.close();
    }
  }

  /** Reads what is unread, oldest first. False: something has to be read again later. */
  async function readNew(client: ImapFlow): Promise<boolean> {
    const found = (await client.search({ seen: false }, { uid: true })) || [];
    let isDone = true;
    for (const uid of found) {
      const message = await client.fetchOne(String(uid), { source: { maxLength: MAX_BYTES } }, { uid: true });
      const source = message ? message.source : undefined;
      if (!source) continue;
      try {
        const mail = await readMail(source);
        if (mail) await given.read(mail);
        await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
      } catch (error) {
        if (!client.usable) throw error;
        isDone = false;
        journal.warn("a mail could not be dealt with", { error: (error as Error).message });
      }
    }
    return isDone;
  }

  function pause(ms: number): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const disarm = clock.after(ms, resolve);
      closing.signal.addEventListener("abort", () => {
        disarm();
        resolve();
      });
    });
  }

  return {
    trouble: () => trouble,
    async close() {
      closing.abort();
      current?.close();
      await running;
    },
  };
}

async function makeClient({ host, port, secure, user, password }: MailboxGiven): Promise<ImapFlow> {
  return new ImapFlow({
    host,
    port,
    secure,
    ...(user === null ? {} : { auth: { user, pass: (await password()) ?? "" } }),
    ...(secure || !isHere(host) ? {} : { doSTARTTLS: false }),
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: 5 * 60_000,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
  });
}

/** The server's own words say more than the library's. */
function wordsOf(error: Error & { responseText?: string; authenticationFailed?: boolean }): string {
  const { authenticationFailed, responseText, message } = error;
  return authenticationFailed ? `the login was refused${responseText ? `: ${responseText}` : ""}` : message;
}
