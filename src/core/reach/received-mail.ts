/** A mail that came in, as far as it matters: who wrote to whom, what they wrote, and whether a machine did. */

export interface ReceivedMail {
  /** Addresses alone, in lower case. Several: nobody in particular wrote it. */
  from: string[];
  /** Where it was delivered to: Delivered-To, X-Original-To, To and Cc, in this order. */
  to: string[];
  /** The Return-Path; null: there is none. Empty: a bounce. */
  return_path: string | null;
  subject: string;
  message_id: string | null;
  references: string[];
  /** What was written, without pictures and attachments; from HTML if there is no text. */
  text: string;
  /** A machine answered by itself: out of office, a list, a robot. */
  is_automatic: boolean;
  /** What a mail server reports about a mail of ours. */
  report: MailReport | null;
}

export interface MailReport {
  /** Every Message-ID that it quotes. */
  message_ids: string[];
  /** `failed`, `delayed`, `delivered` …; null if it doesn't say. */
  action: string | null;
  /** In the server's words. */
  reason: string;
}

/** How a mail server handed it over: what its environment says, if anything. */
export interface Delivery {
  recipient: string | null;
  /** What stands behind the plus sign in the recipient. */
  extension: string | null;
  /** The envelope's sender; empty: a bounce. */
  sender: string | null;
}

/** What became of it. */
export interface MailReceipt {
  type: "taken" | "refused" | "ignored" | "bounced";
  words: string;
}
