/** The bits of an account's flags. */
export const accountFlags = {
  STAFF: 1n << 0n,
  PARTNER: 1n << 2n,
  BUG_HUNTER: 1n << 3n,
  FRIENDLY_BOT: 1n << 4n,
  FRIENDLY_BOT_MANUAL_APPROVAL: 1n << 5n,
  SPAMMER: 1n << 6n,
  PROFILE_HIDDEN: 1n << 7n,
  HIGH_GLOBAL_RATE_LIMIT: 1n << 33n,
  DELETED: 1n << 34n,
  SELF_DELETED: 1n << 36n,
  DISABLED: 1n << 38n,
  HAS_SESSION_STARTED: 1n << 39n,
  RATE_LIMIT_BYPASS: 1n << 47n,
  REPORT_BANNED: 1n << 48n,
  VERIFIED_NOT_UNDERAGE: 1n << 49n,
  ACCOUNT_LIMITED: 1n << 50n,
  HAS_DISMISSED_PREMIUM_ONBOARDING: 1n << 51n,
  APP_STORE_REVIEWER: 1n << 53n,
  STAFF_HIDDEN: 1n << 57n,
  AGE_VERIFIED_ADULT: 1n << 60n,
  LIMIT_EXEMPT: 1n << 62n,
} as const

/** The flags that a bot's owner can set. */
export const botFlags = Number(accountFlags.FRIENDLY_BOT | accountFlags.FRIENDLY_BOT_MANUAL_APPROVAL)

export type AccountFlag = keyof typeof accountFlags

/** The highest word of flags: 64 bits. */
export const flags_max = 2n ** 64n - 1n

/** An account with one of these can neither authenticate nor have a session. */
const closingFlags = ['DISABLED', 'SELF_DELETED', 'DELETED'] as const satisfies readonly AccountFlag[]

/** Whether an account has a flag. Its flags are an unsigned 64-bit decimal string. */
export function hasFlag({ flags }: { readonly flags: string }, flag: AccountFlag): boolean {
  return (BigInt(flags) & accountFlags[flag]) !== 0n
}

export function hasClosingFlag(account: { readonly flags: string }): boolean {
  return closingFlags.some((flag) => hasFlag(account, flag))
}

/** Flags after additions, then removals. Any of 64 bits, whether or not the registry names it. */
export function changedFlags(flags: string, add: readonly string[], remove: readonly string[]): string {
  const added = add.reduce((word, flag) => word | BigInt(flag), BigInt(flags))
  return remove.reduce((word, flag) => word & ~BigInt(flag), added).toString()
}

/** The flags with these set or cleared. */
export function withFlags(flags: string, isSet: boolean, ...changed: readonly AccountFlag[]): string {
  const words = changed.map((flag) => accountFlags[flag].toString())
  return isSet ? changedFlags(flags, words, []) : changedFlags(flags, [], words)
}

/** The names of the set flags that the registry has. */
export function flagNames(flags: string): readonly string[] {
  return Object.entries(accountFlags).flatMap(([name, bit]) => ((BigInt(flags) & bit) === 0n ? [] : [name]))
}
