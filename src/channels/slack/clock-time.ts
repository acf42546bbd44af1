/** Times as a message that stays for days can say them: "14:02 CET", in the zone of the machine. */
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

export function clockTime(ms: number): string {
  return TIME.format(ms);
}
