import type { Guild } from '../guild/state.ts'
import { msOf, type Timestamp } from '../kernel/timestamp.ts'

/** The parts of the sender's account that the check uses. */
export interface VerifiedAccount {
  readonly bot: boolean
  /** Whether somebody can sign in to it. */
  readonly isClaimed: boolean
  readonly emailVerified: boolean
  readonly registeredAt: Timestamp
}

/** The parts of the membership that the check uses. */
export interface VerifiedMember {
  readonly accountId: string
  readonly roles: readonly unknown[]
  readonly joinedAt: Timestamp
}

const verificationLevels = { none: 0, low: 1, medium: 2, high: 3 } as const

const accountAge_ms_min = 5 * 60_000
const membershipAge_ms_min = 10 * 60_000

/**
 * Whether the guild's verification level lets a member send. LOW needs a claimed account with a verified address,
 * MEDIUM also an account age of 5 minutes, HIGH also a membership of 10 minutes. The owner, bots and holders of any
 * role can always send. A guild in the public directory has at least LOW (rules/messages#send).
 */
export function isVerifiedFor(
  { ownerId, features, settings }: Pick<Guild, 'ownerId' | 'features' | 'settings'>,
  member: VerifiedMember,
  account: VerifiedAccount,
  now: Timestamp,
): boolean {
  if (account.bot || member.accountId === ownerId || member.roles.length > 0) return true
  const floor = features.includes('DISCOVERABLE') ? verificationLevels.low : verificationLevels.none
  const level = Math.max(settings.verificationLevel, floor)
  const isOld = (since: Timestamp, age_ms: number): boolean => msOf(now) - msOf(since) >= age_ms
  if (level >= verificationLevels.low && !(account.isClaimed && account.emailVerified)) return false
  if (level >= verificationLevels.medium && !isOld(account.registeredAt, accountAge_ms_min)) return false
  return level < verificationLevels.high || isOld(member.joinedAt, membershipAge_ms_min)
}
