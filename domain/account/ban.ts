import { hasEnded, msOf, secondsAfter, timestamp, type Timestamp } from '../kernel/timestamp.ts'

/** The longest ban with an end: a year. */
export const banHours_max = 8760

/** How far ahead a permanent ban ends. */
const permanentBan_years = 100

const hour_s = 3600

/** When a ban that begins now ends; `duration_hours` of 0 bans permanently. */
export function banEnd(duration_hours: number, now: Timestamp): Timestamp {
  return duration_hours === 0 ? yearsAfter(now, permanentBan_years) : secondsAfter(now, duration_hours * hour_s)
}

/** Whether the account has a ban whose time is over. The next request that finds it so ends it. */
export function isBanOver({ bannedUntil }: { readonly bannedUntil: Timestamp | null }, now: Timestamp): boolean {
  return bannedUntil !== null && hasEnded(bannedUntil, now)
}

/** Whether the account has a ban that is not over. */
export function isBanned({ bannedUntil }: { readonly bannedUntil: Timestamp | null }, now: Timestamp): boolean {
  return bannedUntil !== null && !hasEnded(bannedUntil, now)
}

function yearsAfter(instant: Timestamp, years: number): Timestamp {
  const date = new Date(msOf(instant))
  return timestamp(date.setUTCFullYear(date.getUTCFullYear() + years))
}
