/**
 * The tables of the team's store, and the functions that write to them. A migration only ever adds (expand); what an
 * older oj still reads is removed a release later (contract). `min_writer` keeps older ones from writing meanwhile.
 */

/** The version of the tables that this oj makes, reads and writes. */
export const SCHEMA = 6;

/** What a daemon has to know to write after the first event that takes a new writer, such as a rule. */
export const RAISED = 4;

/** The same once texts were erased. */
const ERASING = 5;

/** The same once somebody was removed: an older oj would let them in by the doors that it knows. */
export const LEAVING = 6;

/** What stays of an event when its texts are erased: the database itself sees to these. */
const FACTS = [
  ...["seq", "at_ms", "type", "id", "project", "machine", "state", "by", "who", "via", "chosen", "choices"],
  ...["owner", "job_id", "agent_id", "decision_id", "requested_by", "resolved_at_ms", "created_at_ms"],
];

/** Notices that something was committed are sent here, with the number of the last event. */
export const CHANNEL = "oj";

/** PostgreSQL itself ends a daemon that holds the lock and says nothing for this long. */
const IDLE_IN_LOCK_MS = 3000;
/** Whoever waits for the lock longer than this gets an error instead. */
const LOCK_WAIT_MS = 4500;

/** Our own errors, as SQLSTATEs. */
export const FENCED = "OJ001";
export const FORGOTTEN = "OJ003";
const MOVED = "OJ002";

const tables = `
CREATE TABLE meta (
  one bool PRIMARY KEY DEFAULT true CHECK (one),
  schema int NOT NULL,
  min_reader int NOT NULL,
  min_writer int NOT NULL,
  version text NOT NULL,
  team uuid NOT NULL DEFAULT gen_random_uuid(),
  base bigint NOT NULL DEFAULT 0,
  base_chain bytea NOT NULL
);
CREATE TABLE head (
  one bool PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL,
  at_ms bigint NOT NULL,
  chain bytea NOT NULL
);
CREATE TABLE events (
  seq bigint PRIMARY KEY,
  batch uuid NOT NULL,
  stream text NOT NULL,
  body text NOT NULL,
  chain bytea NOT NULL
);
CREATE TABLE batches (
  batch uuid PRIMARY KEY,
  first bigint NOT NULL,
  last bigint NOT NULL,
  daemon uuid NOT NULL,
  epoch int NOT NULL
);
CREATE TABLE snapshots (
  seq bigint PRIMARY KEY,
  format int NOT NULL,
  version text NOT NULL,
  sha bytea NOT NULL,
  body bytea NOT NULL
);
CREATE TABLE daemons (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  folder text NOT NULL,
  epoch int NOT NULL,
  claim uuid NOT NULL,
  forgotten bool NOT NULL DEFAULT false,
  last_seen timestamptz NOT NULL DEFAULT now()
);
INSERT INTO meta (schema, min_reader, min_writer, version, base_chain)
  VALUES (1, 1, 1, '', decode(repeat('00', 32), 'hex'));
INSERT INTO head VALUES (true, 0, 0, decode(repeat('00', 32), 'hex'));
`;

/**
 * Begins a turn. A function, because one statement that locks and reads would read what was there before it got the
 * lock: here each statement sees what is committed by then. Its settings last for this transaction alone.
 */
const enter = `
CREATE FUNCTION enter(OUT seq bigint, OUT at_ms bigint, OUT chain bytea, OUT now_ms bigint, OUT min_writer int)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM set_config('lock_timeout', '${LOCK_WAIT_MS}', true);
  PERFORM set_config('idle_in_transaction_session_timeout', '${IDLE_IN_LOCK_MS}', true);
  SELECT h.seq, h.at_ms, h.chain INTO seq, at_ms, chain FROM head h FOR UPDATE;
  SELECT m.min_writer INTO min_writer FROM meta m;
  now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
END $$;
`;

/** Ends a turn: checks who writes and where the log ends, writes, and tells everyone once it is committed. */
const leave = (signed: boolean) => `
CREATE FUNCTION leave(
  expected bigint, new_at_ms bigint, new_batch uuid, writer uuid, writer_epoch int,
  streams text[], bodies text[], chains bytea[]${signed ? ", signature bytea" : ""}
) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  last bigint := expected + cardinality(bodies);
BEGIN
  IF EXISTS (SELECT 1 FROM daemons d WHERE d.id = writer AND d.forgotten) THEN
    RAISE EXCEPTION 'this machine was forgotten' USING ERRCODE = '${FORGOTTEN}';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM daemons d WHERE d.id = writer AND d.epoch = writer_epoch) THEN
    RAISE EXCEPTION 'another daemon has claimed this identity' USING ERRCODE = '${FENCED}';
  END IF;
  UPDATE head h SET seq = last, at_ms = new_at_ms, chain = chains[cardinality(chains)] WHERE h.seq = expected;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the log no longer ends at %', expected USING ERRCODE = '${MOVED}';
  END IF;
  INSERT INTO batches VALUES (new_batch, expected + 1, last, writer, writer_epoch${signed ? ", signature" : ""});
  INSERT INTO events (seq, batch, stream, body, chain)
    SELECT expected + n, new_batch, s, b, c FROM unnest(streams, bodies, chains) WITH ORDINALITY AS t (s, b, c, n);
  PERFORM pg_notify('${CHANNEL}', last::text);
END $$;
`;

/**
 * Removes old events, as far as a snapshot covers them, with the rights of whoever made the schema: the daemon's own
 * role can't delete any.
 */
const forget = `
CREATE FUNCTION forget(upto bigint, most int) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  from_seq bigint;
  to_seq bigint;
BEGIN
  SELECT m.base INTO from_seq FROM meta m FOR UPDATE;
  SELECT least(upto, coalesce(max(s.seq), 0), from_seq + most) INTO to_seq FROM snapshots s;
  IF to_seq <= from_seq THEN RETURN 0; END IF;
  UPDATE meta SET base = to_seq, base_chain = (SELECT e.chain FROM events e WHERE e.seq = to_seq);
  DELETE FROM events e WHERE e.seq <= to_seq;
  DELETE FROM batches b WHERE b.last <= to_seq;
  RETURN to_seq - from_seq;
END $$;
REVOKE EXECUTE ON FUNCTION forget(bigint, int) FROM PUBLIC;
`;

/** Keeps the newest snapshots, for the same reason a function. */
const thinOut = `
CREATE FUNCTION thin_out(keep int) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT keep)
$$;
REVOKE EXECUTE ON FUNCTION thin_out(int) FROM PUBLIC;
`;

/**
 * Several machines share the store. A daemon gets its name when it joins, and says when it leaves. One that knows
 * nothing of homes would run the chores of all of them: it may only read.
 */
const machines = `
ALTER TABLE daemons ALTER COLUMN name DROP NOT NULL, ADD COLUMN left_at timestamptz;
UPDATE daemons SET name = NULL;
UPDATE meta SET min_writer = 2;
`;

/** Daemons sign what they write. One that can't may only read: nobody could tell its events from a forger's. */
const signatures = `
ALTER TABLE batches ADD COLUMN sig bytea;
ALTER TABLE daemons ADD COLUMN pubkey bytea;
DROP FUNCTION leave(bigint, bigint, uuid, uuid, int, text[], text[], bytea[]);
${leave(true)}
UPDATE meta SET min_writer = 3;
`;

/**
 * An older daemon goes on writing until there is an event that it would not heed. Then whoever writes that event raises
 * `min_writer`, in the same transaction and to this number alone: the daemon's own role can't change `meta`.
 */
const raising = `
CREATE FUNCTION raise_writer() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE meta SET min_writer = ${RAISED} WHERE min_writer < ${RAISED}
$$;
REVOKE EXECUTE ON FUNCTION raise_writer() FROM PUBLIC;
`;

/**
 * Texts can be erased: what is left of an event takes its place, where who did what, and when, is as it was. The
 * daemon's own role can change an event in no other way. To an older oj it would look forged, so that it may neither
 * write nor read from then on. After `leave`, in the same transaction.
 */
const erasing = `
ALTER TABLE meta ADD COLUMN erased bigint NOT NULL DEFAULT 0;
CREATE FUNCTION erase(seqs bigint[], bodies text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was jsonb;
  name text;
BEGIN
  UPDATE meta SET min_writer = greatest(min_writer, ${ERASING}), min_reader = greatest(min_reader, ${ERASING}),
    erased = (SELECT h.seq FROM head h);
  FOR n IN 1 .. cardinality(seqs) LOOP
    SELECT e.body::jsonb INTO was FROM events e WHERE e.seq = seqs[n];
    CONTINUE WHEN NOT FOUND;
    FOREACH name IN ARRAY ARRAY[${FACTS.map((it) => `'${it}'`).join(", ")}] LOOP
      IF (bodies[n]::jsonb -> name) IS DISTINCT FROM (was -> name) OR bodies[n] NOT LIKE '%,"erased":true}' THEN
        RAISE EXCEPTION 'that is not what is left of event %', seqs[n] USING ERRCODE = '${MOVED}';
      END IF;
    END LOOP;
    UPDATE events SET body = bodies[n] WHERE seq = seqs[n];
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION erase(bigint[], text[]) FROM PUBLIC;
`;

/** Somebody left. In the transaction of that event: an older oj may neither write nor start to read from then on. */
const leaving = `
CREATE FUNCTION raise_leaving() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE meta SET min_writer = greatest(min_writer, ${LEAVING}), min_reader = greatest(min_reader, ${LEAVING})
    WHERE least(min_writer, min_reader) < ${LEAVING}
$$;
REVOKE EXECUTE ON FUNCTION raise_leaving() FROM PUBLIC;
`;

/** What leads from each version of the tables to the next; the first makes them. */
export const MIGRATIONS: readonly string[] = [
  [tables, enter, leave(false), forget, thinOut].join("\n"),
  machines,
  signatures,
  raising,
  erasing,
  leaving,
];

/** What the role of a daemon gets: it adds events and reads them, and never changes or removes one. */
export function grants(role: string): string {
  return `
    GRANT USAGE ON SCHEMA public TO ${role};
    GRANT SELECT ON meta, head, events, batches, snapshots, daemons TO ${role};
    GRANT INSERT ON events, batches, snapshots, daemons TO ${role};
    GRANT UPDATE ON head, daemons TO ${role};
    GRANT EXECUTE ON FUNCTION forget(bigint, int), thin_out(int) TO ${role};
    GRANT EXECUTE ON FUNCTION raise_writer() TO ${role};
    GRANT EXECUTE ON FUNCTION erase(bigint[], text[]) TO ${role};
    GRANT EXECUTE ON FUNCTION raise_leaving() TO ${role};
  `;
}
