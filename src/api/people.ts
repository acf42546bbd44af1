/** People, their roles and tokens. */
import { z } from "@hono/zod-openapi";
import { ROLES, SCOPES } from "../core/roles/people.ts";
import { later } from "./basics.ts";

const name = z.string().min(1).max(64);
const role = z.enum(ROLES);
const scope = z.enum(SCOPES);

const grant = later(() => z.object({ role, /** Empty: in every project. */ project: z.string() }));

const token = later(() =>
  z.object({
    id: z.string(),
    person: z.string(),
    scopes: scope.array(),
    created_at_ms: z.number(),
    expires_at_ms: z.number(),
    /** The token that it was rotated into. */
    replaced_by: z.string().nullable(),
    /** The last use that was recorded: once an hour. */
    used_at_ms: z.number().nullable(),
    /** Where it was asked for with a code: what that machine calls itself, and the address it called from. */
    device: z.object({ label: z.string(), address: z.string() }).nullable(),
  }),
);
export const personToken = later(() => token().openapi("PersonToken"));
export type PersonTokenView = z.infer<ReturnType<typeof personToken>>;

export const tokenMade = later(() => token().extend({ token: z.string() }).openapi("TokenMade"));
export type TokenMade = z.infer<ReturnType<typeof tokenMade>>;

export const tokenRotated = later(() =>
  tokenMade()
    .extend({
      replaces: z.object({
        id: z.string(),
        /** Null: it was revoked at once. */ counts_until_ms: z.number().nullable(),
      }),
    })
    .openapi("TokenRotated"),
);
export type TokenRotated = z.infer<ReturnType<typeof tokenRotated>>;

export const person = later(() =>
  z
    .object({ name: z.string(), roles: grant().array(), tokens: z.number(), invited_at_ms: z.number() })
    .openapi("Person"),
);
export type PersonView = z.infer<ReturnType<typeof person>>;

export const me = later(() =>
  z
    .object({
      name: z.string(),
      /** Null: the socket's own user, who may do everything. */
      roles: grant().array().nullable(),
      scopes: scope.array().nullable(),
    })
    .openapi("Me"),
);
export type MeView = z.infer<ReturnType<typeof me>>;

/** `doors`: what the settings say about a name that somebody had before who left is this person's. */
export const inviteBody = z.object({ name, doors: z.boolean().optional() }).strict();
export const removeBody = z.object({ name }).strict();
/** What ended when a person left, and what somebody still has to see to. */
export const personRemoved = later(() =>
  z
    .object({
      name: z.string(),
      roles: grant().array(),
      /** How many there were. */
      tokens: z.number(),
      passkeys: z.number(),
      /** Programs that asked over MCP with a token that they made. */
      programs: z.string().array(),
      /** Decisions where what they said, their answer on hold, or their claim was taken back. */
      votes: z.string().array(),
      answers: z.string().array(),
      claims: z.string().array(),
      /** Pending decisions that too few are left to say yes to. */
      short: z.string().array(),
      /** Jobs and crews that they started, which go on. */
      works: z.string().array(),
      /** Where the settings of this machine still name them. */
      settings: z.string().array(),
      /** This machine's own user has that name: the socket stays open to them. */
      is_owner: z.boolean(),
    })
    .openapi("PersonRemoved"),
);
export type PersonRemoved = z.infer<ReturnType<typeof personRemoved>>;
export const roleBody = z.object({ name, role, project: z.string().min(1).max(200).nullable() }).strict();
export type RoleBody = z.infer<typeof roleBody>;
const time = z
  .number()
  .int()
  .min(0)
  .max(10 * 365 * 86_400_000);
export const lasts = time.positive();
export const tokenBody = z
  .object({ person: name, scopes: scope.array().min(1).max(4), lasts_ms: lasts })
  .strict();
export type TokenBody = z.infer<typeof tokenBody>;
const tokenId = z.string().min(1).max(64);
/** `lasts_ms` null: as long as the old one was meant to. */
export const rotateBody = z.object({ token: tokenId, overlap_ms: time, lasts_ms: lasts.nullable() }).strict();
export type RotateBody = z.infer<typeof rotateBody>;
/** One of them. */
export const distrustBody = z.union([
  z.object({ token: tokenId }).strict(),
  z.object({ person: name }).strict(),
]);
export type DistrustBody = z.infer<typeof distrustBody>;
export const distrusted = later(() => z.object({ revoked: z.string().array() }));

/** The token was made by whoever asks, and never travels: `sha256` is of the whole of it. */
export const deviceBody = z
  .object({
    id: z.string().regex(/^[a-z2-9]{12}$/),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    scopes: scope.array().min(1).max(4),
    lasts_ms: lasts,
    /** What the machine that asks calls itself. */
    label: z.string().max(200),
  })
  .strict();
export type DeviceBody = z.infer<typeof deviceBody>;
export const deviceCode = later(() =>
  z
    .object({
      code: z.string(),
      /** Where to approve it in a browser; null: that is not known there. */
      url: z.string().nullable(),
      expires_at_ms: z.number(),
      expires_in_s: z.number(),
      interval_s: z.number(),
    })
    .openapi("DeviceCode"),
);
export type DeviceCode = z.infer<ReturnType<typeof deviceCode>>;
export const devicePollBody = z.object({ token: z.string().min(1).max(200) }).strict();
/** The words of RFC 8628, and `approved`. */
export const devicePoll = later(() =>
  z
    .object({
      state: z.enum(["approved", "authorization_pending", "slow_down", "access_denied", "expired_token"]),
      interval_s: z.number(),
      person: z.string().nullable(),
    })
    .openapi("DevicePoll"),
);
export type DevicePoll = z.infer<ReturnType<typeof devicePoll>>;
const userCode = z.string().min(1).max(40);
export const deviceCodeBody = z.object({ code: userCode }).strict();
export const deviceApproveBody = z.object({ code: userCode, person: name.nullable() }).strict();
export const deviceWaiting = later(() =>
  z
    .object({
      code: z.string(),
      label: z.string(),
      address: z.string(),
      scopes: scope.array(),
      lasts_ms: z.number(),
      asked_at_ms: z.number(),
      expires_at_ms: z.number(),
      /** Whom it would be for, if nobody else is named. */
      person: z.string(),
    })
    .openapi("DeviceWaiting"),
);
export type DeviceWaiting = z.infer<ReturnType<typeof deviceWaiting>>;

const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]*$/);
/** What an authenticator has signed, as the browser gave it, in base64url. */
export const passkeyBrought = z
  .object({
    nonce: base64url(100),
    credential: base64url(1400),
    client_data: base64url(8000),
    authenticator_data: base64url(8000),
    signature: base64url(2000),
  })
  .strict();
export type PasskeyBrought = z.infer<typeof passkeyBrought>;
export const passkeyReceipt = later(() =>
  passkeyBrought
    .extend({
      rp_id: z.string(),
      /** The public key: SPKI in base64. */ key: z.string(),
      statement: z.string(),
    })
    .openapi("PasskeyReceipt"),
);
const asked = later(() =>
  z.object({
    nonce: z.string(),
    /** In base64url. */
    challenge: z.string(),
    /** The ids of the person's passkeys. */
    credentials: z.string().array(),
  }),
);
export const passkeyAsked = later(() => asked().openapi("PasskeyAsked"));
export type PasskeyAsked = z.infer<ReturnType<typeof passkeyAsked>>;
export const passkeyBegun = later(() => asked().extend({ person: z.string() }).openapi("PasskeyBegun"));
export type PasskeyBegun = z.infer<ReturnType<typeof passkeyBegun>>;
const passkeyCode = z.string().min(1).max(200);
export const passkeyBeginBody = z.object({ code: passkeyCode }).strict();
export const passkeyBody = z
  .object({
    code: passkeyCode,
    nonce: base64url(100),
    label: z.string().max(100),
    client_data: base64url(8000),
    authenticator_data: base64url(8000),
  })
  .strict();
export type PasskeyBody = z.infer<typeof passkeyBody>;
export const passkeyRemoveBody = z.object({ id: z.string().min(1).max(1400) }).strict();
export const passkeyLinkBody = z.object({ person: name }).strict();
export const passkeyLink = later(() => z.object({ url: z.string() }));
export const passkey = later(() =>
  z
    .object({
      id: z.string(),
      person: z.string(),
      label: z.string(),
      rp_id: z.string(),
      added_at_ms: z.number(),
      used_at_ms: z.number().nullable(),
    })
    .openapi("Passkey"),
);
export type PasskeyView = z.infer<ReturnType<typeof passkey>>;

/** The calls about people. */
export interface PeopleCalls {
  me(): Promise<MeView>;
  people(): Promise<PersonView[]>;
  invitePerson(name: string, doors?: boolean): Promise<PersonView>;
  removePerson(name: string): Promise<PersonRemoved>;
  grantRole(body: RoleBody): Promise<PersonView>;
  revokeRole(body: RoleBody): Promise<PersonView>;
  personTokens(): Promise<PersonTokenView[]>;
  makePersonToken(body: TokenBody): Promise<TokenMade>;
  rotatePersonToken(body: RotateBody): Promise<TokenRotated>;
  revokePersonTokens(body: DistrustBody): Promise<{ revoked: string[] }>;
  /** Asks for a login that a person approves elsewhere. */
  askDevice(body: DeviceBody): Promise<DeviceCode>;
  pollDevice(token: string): Promise<DevicePoll>;
  device(code: string): Promise<DeviceWaiting>;
  /** `person` null: for oneself. */
  approveDevice(code: string, person: string | null): Promise<DeviceWaiting>;
  denyDevice(code: string): Promise<void>;
  passkeys(): Promise<PasskeyView[]>;
  passkeyLink(person: string): Promise<{ url: string }>;
  beginPasskey(code: string): Promise<PasskeyBegun>;
  addPasskey(body: PasskeyBody): Promise<void>;
  removePasskey(id: string): Promise<void>;
}
