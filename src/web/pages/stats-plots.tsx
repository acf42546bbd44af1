/** The plots of the figures: one for each question that people have about how it is going. */
import type { StatsView } from "../../api/api.ts";
import { spanWords } from "../../inbox/figures.ts";
import { Bar, Cells, Columns, Legend, Plot, Strip, Strips } from "../parts/plots.tsx";

interface Given {
  stats: StatsView;
}

const OUTCOMES = [
  ["answered", "answered"],
  ["expired", "expired"],
  ["other", "withdrawn, dismissed or superseded"],
  ["asked", "asked"],
] as const;

export function Days({ stats: { days } }: Given) {
  const isBusy = days.some((it) => it.asked + it.answered + it.expired + othersOf(it) > 0);
  return (
    <Plot
      title="Decisions per day"
      about="How those that ended each day ended, and how many were asked."
      none="Nothing was asked, and nothing ended."
      head={["Day", "Asked", "Answered", "Expired", "Withdrawn", "Dismissed", "Superseded"]}
      rows={(isBusy ? days : []).map((it) => [
        it.day,
        it.asked,
        it.answered,
        it.expired,
        it.withdrawn,
        it.dismissed,
        it.superseded,
      ])}
    >
      <Legend kinds={OUTCOMES} />
      <Columns
        columns={days.map((it) => ({
          name: it.day,
          parts: [
            { kind: "answered", count: it.answered },
            { kind: "expired", count: it.expired },
            { kind: "other", count: othersOf(it) },
          ],
          mark: it.asked,
        }))}
      />
    </Plot>
  );
}

function othersOf({ withdrawn, dismissed, superseded }: StatsView["days"][number]): number {
  return withdrawn + dismissed + superseded;
}

/** Times differ by powers of ten, so each power gets the same room, from one second on. */
export function AnswerTimes({ stats: { by_source } }: Given) {
  const answered = by_source.flatMap(({ name, answer }) => {
    const { median_ms, p90_ms, count } = answer;
    return median_ms === null || p90_ms === null ? [] : [{ name, median_ms, p90_ms, count }];
  });
  const width = (ms: number) => Math.log10(Math.max(1000, ms) / 500);
  const most = Math.max(0, ...answered.map((it) => width(it.p90_ms)));
  return (
    <Plot
      title="Time to the answer"
      about="By who asks. Each step to the right is ten times as long."
      none="Nothing was answered."
      head={["Source", "Median", "p90", "Answers"]}
      rows={answered.map((it) => [it.name, spanWords(it.median_ms), spanWords(it.p90_ms), it.count])}
    >
      <Legend
        kinds={[
          ["accent", "median"],
          ["soft", "nine in ten (p90)"],
        ]}
      />
      <Strips>
        {answered.map(({ name, median_ms, p90_ms }) => (
          <Strip key={name} name={name} words={`${spanWords(median_ms)}, ${spanWords(p90_ms)}`}>
            <Bar
              most={most}
              parts={[
                { kind: "accent", count: width(median_ms) },
                { kind: "soft", count: width(p90_ms) - width(median_ms) },
              ]}
            />
          </Strip>
        ))}
      </Strips>
    </Plot>
  );
}

export function Answers({ stats: { answers } }: Given) {
  const most = Math.max(0, ...answers.map((it) => it.answered));
  return (
    <Plot
      title="Who answers where"
      about="How many answers each person gave, by channel."
      none="Nobody answered anything."
      head={["Person", "Channel", "Answered"]}
      rows={answers.map((it) => [it.person, it.channel, it.answered])}
    >
      <Strips>
        {answers.map(({ person, channel, answered }) => (
          <Strip key={`${person} ${channel}`} name={`${person}, ${channel}`} words={String(answered)}>
            <Bar most={most} parts={[{ kind: "accent", count: answered }]} />
          </Strip>
        ))}
      </Strips>
    </Plot>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

export function Interruptions({ stats: { interruptions } }: Given) {
  const most = Math.max(0, ...interruptions.flatMap((it) => it.hours));
  return (
    <Plot
      title="Interruptions"
      about="Messages that reached each person, by the hour of the day from midnight to midnight."
      none="Nobody got a message."
      head={["Person", "All", ...HOURS]}
      rows={interruptions.map(({ person, count, hours }) => [person, count, ...hours])}
    >
      <Strips>
        {interruptions.map(({ person, count, hours }) => (
          <Strip key={person} name={person} words={String(count)}>
            <Cells counts={hours} most={most} />
          </Strip>
        ))}
        <Strip name="" words="">
          <span class="ends">
            {["0", "6", "12", "18", "24"].map((it) => (
              <span key={it}>{it}</span>
            ))}
          </span>
        </Strip>
      </Strips>
    </Plot>
  );
}

export function Expired({ stats: { by_source } }: Given) {
  const late = by_source.filter((it) => it.expired > 0);
  const most = Math.max(0, ...late.map((it) => it.expired));
  return (
    <Plot
      title="Expired"
      about="What nobody answered in time, by who asked, and how often the default was taken."
      none="Nothing expired."
      head={["Source", "Expired", "By default", "Without a default"]}
      rows={late.map((it) => [it.name, it.expired, it.defaulted, it.expired - it.defaulted])}
    >
      <Legend
        kinds={[
          ["defaulted", "by default"],
          ["expired", "without a default"],
        ]}
      />
      <Strips>
        {late.map(({ name, expired, defaulted }) => (
          <Strip key={name} name={name} words={String(expired)}>
            <Bar
              most={most}
              parts={[
                { kind: "defaulted", count: defaulted },
                { kind: "expired", count: expired - defaulted },
              ]}
            />
          </Strip>
        ))}
      </Strips>
    </Plot>
  );
}
