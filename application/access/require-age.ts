import { hasFlag } from '../../domain/account/flags.js'
import { hasTurned } from '../../domain/account/names.js'
import type { Channel } from '../../domain/guild/channel.js'
import type { Guild } from '../../domain/guild/state.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'

const adultAge_years = 18

/** Demands an age-verified account in an age-restricted channel: 403 NSFW_CONTENT_AGE_RESTRICTED. */
export function requireAge(guild: Guild, channel: Channel, caller: Caller): void {
  const restricted = channel.nsfw || guild.settings.nsfw
  if (restricted && !isAdult(caller.account, caller.context.now)) reject('NSFW_CONTENT_AGE_RESTRICTED')
}

/** Whether the account is a bot, is verified as adult, or is 18 by its date of birth (reference identity 9.2, nsfw_allowed). */
export function isAdult(account: AccountRecord, now: Timestamp): boolean {
  if (account.bot || hasFlag(account, 'AGE_VERIFIED_ADULT')) return true
  if (account.dateOfBirth === null) return false
  return hasTurned(adultAge_years, account.dateOfBirth, now)
}
