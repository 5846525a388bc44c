import { expect } from 'vitest'

/** An account as administrators see it, and the objects that show it. */

export type Body = Readonly<Record<string, unknown>>

/** Account flags that the operations read or set. */
export const flagBits = { DISABLED: 1n << 38n, DELETED: 1n << 34n, SELF_DELETED: 1n << 36n } as const

/** The flags that everybody sees: STAFF, PARTNER, BUG_HUNTER, FRIENDLY_BOT, FRIENDLY_BOT_MANUAL_APPROVAL, SPAMMER. */
export const publicBits = 1n | 4n | 8n | 16n | 32n | 64n

export type Category = 'friend' | 'incoming_request' | 'outgoing_request' | 'blocked'

export interface ModelDeletion {
  readonly at: string
  readonly code: number
  readonly publicReason: string | null
  readonly auditReason: string | null
  readonly by: string
  readonly scheduledAt: string
}

/** An entry of the contact change log. */
export interface ModelChange {
  readonly field: 'email' | 'fluxer_tag'
  readonly before: string | null
  readonly after: string | null
  readonly actor: string
}

export interface ModelAccount {
  readonly id: string
  readonly password: string
  username: string
  discriminator: number
  globalName: string | null
  bio: string | null
  pronouns: string | null
  bot: boolean
  system: boolean
  flags: bigint
  premiumFlags: number
  email: string | null
  emailVerified: boolean
  dateOfBirth: string | null
  bannedUntil: string | null
  deletion: ModelDeletion | null
  bulkDeletionAt: string | null
  /** How many reports wait for an administrator, and how many of them only an administrator may resolve. */
  reports: { readonly open: number; readonly protected: number }
  acls: readonly string[]
  traits: readonly string[]
  hasTotp: boolean
  /** Whether passkeys are chosen as a second factor. */
  choosesPasskeys: boolean
  readonly passkeys: string[]
  /** For the bot of an application: the account whose second factors it has. */
  readonly owner: ModelAccount | null
  /** For the same: the name of the application. */
  readonly applicationName: string | null
  /** The applications of the account: each is its bot's account too. */
  readonly applications: ModelAccount[]
  /** Live and ended ones: the tokens, in the order of their beginning. */
  readonly sessions: { readonly token: string; ended: boolean }[]
  /** Oldest first. */
  readonly changes: ModelChange[]
  readonly relationships: Map<string, Category>
  /** The account's messages, by id their channels. */
  readonly messages: Map<string, string>
  readonly directMessages: { readonly channel: string; readonly other: string }[]
  /** Members of the object that no operation of the model changes. */
  readonly rest: Body
}

export type Sees = (acl: string) => boolean

/** 0 TOTP, 2 WEBAUTHN. */
export function authenticatorTypes(account: ModelAccount): readonly number[] {
  const { hasTotp, choosesPasskeys, owner, bot } = account
  if (owner) return bot ? authenticatorTypes(owner) : []
  return [...(hasTotp ? [0] : []), ...(choosesPasskeys ? [2] : [])]
}

export const instant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

/** The Admin user object as a caller sees it: every key, whatever the caller may view. */
export function userObject(account: ModelAccount, sees: Sees): Body {
  const { deletion, rest } = account
  const seesEmail = sees('user:view:email')
  const seesAddress = sees('user:view:ip')
  return {
    ...rest,
    id: account.id,
    username: account.username,
    discriminator: account.discriminator,
    global_name: account.globalName,
    bot: account.bot,
    system: account.system,
    flags: account.flags.toString(),
    premium_flags: account.premiumFlags,
    avatar: null,
    banner: null,
    bio: account.bio,
    pronouns: account.pronouns,
    accent_color: null,
    email: seesEmail ? account.email : null,
    email_verified: seesEmail && account.emailVerified,
    email_bounced: false,
    date_of_birth: sees('user:view:dob') ? account.dateOfBirth : null,
    temp_banned_until: account.bannedUntil,
    pending_deletion_at: deletion?.at ?? null,
    pending_bulk_message_deletion_at: account.bulkDeletionAt,
    deletion_reason_code: deletion?.code ?? null,
    deletion_public_reason: deletion?.publicReason ?? null,
    deletion_audit_log_reason: sees('audit_log:view') ? (deletion?.auditReason ?? null) : null,
    deletion_scheduled_by: deletion?.by ?? null,
    deletion_scheduled_at: deletion?.scheduledAt ?? null,
    acls: account.acls,
    traits: account.traits,
    has_totp: authenticatorTypes(account).includes(0),
    authenticator_types: authenticatorTypes(account),
    last_active_ip: seesAddress ? rest['last_active_ip'] : null,
    last_active_ip_reverse: null,
    last_active_location: null,
  }
}

/** The members of the object that the model takes from the first look at an account. */
export function restOf(object: Body): Body {
  const names = ['locale', 'premium_type', 'premium_since', 'premium_until', 'premium_grace_ends_at']
  const kept = [...names, 'premium_lifetime_sequence', 'last_active_ip']
  return {
    ...Object.fromEntries(kept.map((name) => [name, object[name]])),
    last_active_at: expect.toBeOneOf([null, instant]),
  }
}

/** What User Update shows of the account, as far as the model knows it. */
export function privateUser(account: ModelAccount): Body {
  return {
    id: account.id,
    username: account.username,
    discriminator: paddedTag(account.discriminator),
    global_name: account.globalName,
    bio: account.bio,
    pronouns: account.pronouns,
    email: account.email,
    verified: account.emailVerified,
    acls: account.acls,
    // The holder's `premium` says that premium is active, which no label does.
    traits: [
      ...account.traits.filter((trait) => trait !== 'premium'),
      ...(hasPremium(account) ? ['premium'] : []),
    ].toSorted(),
    mfa_enabled: authenticatorTypes(account).length > 0,
  }
}

export const paddedTag = (discriminator: number): string => String(discriminator).padStart(4, '0')

export const tagOf = ({ username, discriminator }: ModelAccount): string => `${username}#${paddedTag(discriminator)}`

/** Admin resolved user object. */
export function resolvedUser(account: ModelAccount): Body {
  const { id, username, discriminator, globalName } = account
  return { id, username, discriminator: paddedTag(discriminator), global_name: globalName, avatar: null }
}

/** Premium flags 128 ENABLED_OVERRIDE and 256 PERKS_DISABLED. Nobody there has bought premium; bots count as premium. */
export const hasPremium = ({ bot, premiumFlags }: ModelAccount): boolean =>
  bot || ((premiumFlags & 256) === 0 && (premiumFlags & 128) !== 0)

export const isClosed = ({ flags }: ModelAccount): boolean =>
  (flags & (flagBits.DISABLED | flagBits.DELETED | flagBits.SELF_DELETED)) !== 0n
