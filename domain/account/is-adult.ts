import type { Timestamp } from '../kernel/timestamp.ts'
import { hasFlag } from './flags.ts'
import { hasTurned } from './names.ts'

const adultAge_years = 18

/** Whether the account is a bot, is verified as adult, or is 18 by its date of birth: `nsfw_allowed` for clients. */
export function isAdult(
  account: { readonly bot: boolean; readonly flags: string; readonly dateOfBirth: string | null },
  now: Timestamp,
): boolean {
  if (account.bot || hasFlag(account, 'AGE_VERIFIED_ADULT')) return true
  return account.dateOfBirth !== null && hasTurned(adultAge_years, account.dateOfBirth, now)
}
