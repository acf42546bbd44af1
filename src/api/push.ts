/** Push messages to browsers: which browsers get them, and what such a message says. */
import { z } from "@hono/zod-openapi";
import { later } from "./basics.ts";

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${length}}={0,2}$`), `must be ${bytes} bytes in base64url`);
};

/** What `PushSubscription.toJSON()` returns in a browser. */
export const pushSubscriptionBody = z
  .object({
    endpoint: z
      .string()
      .max(2000)
      .refine((it) => URL.canParse(it), "must be an address"),
    expirationTime: z.number().nullish(),
    keys: z.object({ p256dh: base64url(65), auth: base64url(16) }).strict(),
  })
  .strict();
export type PushSubscriptionBody = z.infer<typeof pushSubscriptionBody>;

/** A browser that gets messages. Its address is a secret between us and its push service, and is not shown. */
export const pushSubscription = later(() =>
  z
    .object({
      id: z.string(),
      /** Whose messages it gets: the name of the login. */
      person: z.string(),
      /** "Firefox on Linux". */
      browser: z.string(),
      /** The host of the push service that its browser uses. */
      service: z.string(),
      created_at_ms: z.number(),
      /** When its push service last took a message; null: none so far. */
      told_at_ms: z.number().nullable(),
      /** Why the last message did not get through; null if it did. */
      error: z.string().nullable(),
    })
    .openapi("PushSubscription"),
);
export type PushSubscriptionView = z.infer<ReturnType<typeof pushSubscription>>;

export const pushStatus = later(() =>
  z
    .object({
      /** What a browser subscribes with; null: push is not set up for this person, for the reason in `why`. */
      public_key: z.string().nullable(),
      why: z.string().nullable(),
      subscriptions: z.array(pushSubscription()),
    })
    .openapi("PushStatus"),
);
export type PushStatus = z.infer<ReturnType<typeof pushStatus>>;

/** What a message to a browser says. It is encrypted on its way, and read by the page's service worker. */
export interface PushMessage {
  /** The decision that it is about and that a click opens; null: the list. */
  decision: string | null;
  /** A message with the same tag replaces the one before. */
  tag: string;
  title: string;
  body: string;
  /** Stays until somebody reacts. */
  is_urgent: boolean;
  is_silent: boolean;
  /** Sounds again although it replaces another. */
  is_reminder: boolean;
  actions: PushAction[];
}

/** A button on the message. */
export interface PushAction {
  title: string;
  /** Where to POST: its address carries a token that is good for this one answer, once. */
  path: string;
}
