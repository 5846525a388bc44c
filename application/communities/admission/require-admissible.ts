import { disabledOperationBits, isUnavailable } from '../../../domain/guild/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Newcomer } from '../../ports/queries/guild-ban-queries.ts'
import type { GuildWithNewcomer } from '../../ports/queries/guild-queries.ts'
import { isStaff } from '../../wire-objects/identity/user-objects.ts'
import { refuseKeptOut } from './refuse-banned.ts'

/**
 * Refuses who may not enter a guild by an invite or by the directory, with MISSING_ACCESS, USER_BANNED_FROM_GUILD,
 * USER_IP_BANNED_FROM_GUILD, INVITES_DISABLED, FEATURE_TEMPORARILY_DISABLED, in this order (rules/invites#accept).
 */
export function requireAdmissible({ account }: Caller, { guild, keptOutBy }: GuildWithNewcomer): void {
  if (isUnavailable(guild, isStaff(account))) reject('MISSING_ACCESS')
  refuseKeptOut(keptOutBy)
  const { features, settings } = guild
  if (features.includes('INVITES_DISABLED') || features.includes('RAID_DETECTED')) reject('INVITES_DISABLED')
  if (settings.disabledOperations & disabledOperationBits.INSTANT_INVITES) reject('FEATURE_TEMPORARILY_DISABLED')
}

/** What a guild can ban the caller by. */
export function newcomerOf({ account, ip }: Caller): Newcomer {
  return { accountId: account.id, email: account.email, ip }
}
