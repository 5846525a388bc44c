import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountQueries, AccountRecord } from '../../application/ports/queries/account-queries.ts'
import { accountFlags, type AccountFlag } from '../../domain/account/flags.ts'
import { withBadgeOptions } from '../../domain/premium/premium-flags.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { noPremiumFields, type PremiumFields } from '../../domain/premium/premium.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

interface AccountColumns {
  readonly account_id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly global_name: string | null
  readonly account_avatar: string | null
  readonly account_banner: string | null
  readonly avatar_color: number | null
  readonly banner_color: number | null
  readonly bio: string | null
  readonly pronouns: string | null
  readonly accent_color: number | null
  readonly mention_flags: number
  readonly premium_badge_hidden: boolean
  readonly premium_badge_masked: boolean
  readonly premium_badge_timestamp_hidden: boolean
  readonly premium_badge_sequence_hidden: boolean
  readonly has_dismissed_premium_onboarding: boolean
  readonly email: string | null
  readonly email_verified: boolean
  readonly email_bounced: boolean
  readonly is_erased: boolean
  readonly has_password: boolean
  readonly password_changed_at: Timestamp | null
  readonly date_of_birth: string | null
  readonly locale: string
  readonly flags: string
  /** An int8. */
  readonly premium_flags: string
  readonly premium: PremiumFields | null
  readonly traits: readonly string[]
  readonly bot: boolean
  readonly system: boolean
  readonly bot_owner_id: AccountId | null
  readonly acls: readonly string[]
  readonly banned_until: Timestamp | null
  readonly deletion_due_at: Timestamp | null
  readonly deletion_reason_code: number | null
  readonly deletion_public_reason: string | null
  readonly deletion_audit_log_reason: string | null
  readonly deletion_scheduled_by: AccountId | null
  readonly deletion_scheduled_at: Timestamp | null
  readonly message_deletion_due_at: Timestamp | null
  readonly message_deletion_channels: number | null
  readonly message_deletion_messages: number | null
  readonly registered_at: Timestamp
  readonly terms_accepted_at: Timestamp | null
  readonly totp: boolean
  readonly passkeys: number
  readonly uses_passkeys: boolean
  readonly single_sign_on: boolean
  readonly shares_voice_activity: boolean
  readonly voice_activity_chosen_at: Timestamp | null
  readonly delegation_version: number
}

/** Reads the result of `accountColumns`. */
export const accountRow = rowOf(recordIn)

function recordIn(row: AccountColumns): AccountRecord {
  const profile = profileIn(row)
  return {
    id: row.account_id,
    username: row.username,
    discriminator: row.discriminator,
    profile,
    email: row.email,
    emailVerified: row.email_verified,
    emailBounced: row.email_bounced,
    isErased: row.is_erased,
    hasPassword: row.has_password,
    hasSingleSignOn: row.single_sign_on,
    passwordChangedAt: row.password_changed_at,
    dateOfBirth: row.date_of_birth,
    locale: row.locale,
    // Bit 63 is the sign of the column.
    flags: row.flags.startsWith('-') ? BigInt.asUintN(64, BigInt(row.flags)).toString() : row.flags,
    premium: row.premium ?? noPremiumFields,
    everyoneHasPremium: false,
    premiumFlags: withBadgeOptions(Number(row.premium_flags), profile),
    traits: row.traits,
    bot: row.bot,
    system: row.system,
    botOwnerId: row.bot_owner_id,
    acls: row.acls,
    bannedUntil: row.banned_until,
    deletion: deletionIn(row),
    messageDeletion: messageDeletionIn(row),
    registeredAt: row.registered_at,
    termsAcceptedAt: row.terms_accepted_at,
    sharesVoiceActivity: row.shares_voice_activity,
    voiceActivityChosenAt: row.voice_activity_chosen_at,
    secondFactors: { totp: row.totp, passkeys_count: row.passkeys, usesPasskeys: row.uses_passkeys },
    delegationVersion: row.delegation_version,
  }
}

function profileIn(row: AccountColumns): AccountRecord['profile'] {
  return {
    globalName: row.global_name,
    avatar: row.account_avatar,
    banner: row.account_banner,
    avatarColor: row.avatar_color,
    bannerColor: row.banner_color,
    bio: row.bio,
    pronouns: row.pronouns,
    accentColor: row.accent_color,
    mentionFlags: row.mention_flags,
    premiumBadgeHidden: row.premium_badge_hidden,
    premiumBadgeMasked: row.premium_badge_masked,
    premiumBadgeTimestampHidden: row.premium_badge_timestamp_hidden,
    premiumBadgeSequenceHidden: row.premium_badge_sequence_hidden,
    hasDismissedPremiumOnboarding: row.has_dismissed_premium_onboarding,
  }
}

function deletionIn(row: AccountColumns): AccountRecord['deletion'] {
  if (row.deletion_due_at === null) return null
  return {
    dueAt: row.deletion_due_at,
    reasonCode: row.deletion_reason_code,
    publicReason: row.deletion_public_reason,
    auditLogReason: row.deletion_audit_log_reason,
    scheduledBy: row.deletion_scheduled_by,
    scheduledAt: row.deletion_scheduled_at,
  }
}

function messageDeletionIn(row: AccountColumns): AccountRecord['messageDeletion'] {
  if (row.message_deletion_due_at === null) return null
  return {
    dueAt: row.message_deletion_due_at,
    channelCount: row.message_deletion_channels ?? 0,
    messageCount: row.message_deletion_messages ?? 0,
  }
}

/** A bit that has a column of its own. */
const flagIf = (column: ReturnType<typeof sql.fragment>, flag: AccountFlag) =>
  sql.fragment`case when a.${column} then ${accountFlags[flag].toString()}::int8 else 0 end`

const allFlags = sql.fragment`a.flags
    | ${flagIf(sql.fragment`is_disabled`, 'DISABLED')} | ${flagIf(sql.fragment`is_self_deleted`, 'SELF_DELETED')}
    | ${flagIf(sql.fragment`is_deleted`, 'DELETED')} | ${flagIf(sql.fragment`has_session_started`, 'HAS_SESSION_STARTED')}
    | ${flagIf(sql.fragment`has_dismissed_premium_onboarding`, 'HAS_DISMISSED_PREMIUM_ONBOARDING')}`

/** A person, or a bot that no application was made for. */
const hasOwnFactors = sql.fragment`(not a.bot or a.bot_owner_id is null)`

const ofOwner = (column: ReturnType<typeof sql.fragment>) =>
  sql.fragment`select o.${column} from accounts.accounts o where o.id = a.bot_owner_id`

/**
 * For accounts.accounts as a. The names differ from those of guild columns, which may be selected beside them. A bot
 * has its owner's second factors.
 */
export const accountColumns = sql.fragment`
  a.id as account_id, a.username, a.discriminator, a.global_name, a.avatar as account_avatar, a.banner as account_banner, a.avatar_color, a.banner_color, a.bio, a.pronouns, a.accent_color, a.mention_flags,
  a.premium_badge_hidden, a.premium_badge_masked, a.premium_badge_timestamp_hidden, a.premium_badge_sequence_hidden,
  a.has_dismissed_premium_onboarding, a.email, a.email_verified, a.email_bounced, a.is_erased, a.has_password, a.password_changed_at, a.date_of_birth,
  a.locale, a.premium_flags, a.premium, a.traits, a.bot, a.system, a.bot_owner_id, a.acls, a.banned_until, a.deletion_due_at, a.deletion_reason_code,
  a.deletion_public_reason, a.deletion_audit_log_reason, a.deletion_scheduled_by, a.deletion_scheduled_at,
  a.message_deletion_due_at, a.message_deletion_channels, a.message_deletion_messages, a.registered_at, a.terms_accepted_at, a.single_sign_on,
  a.shares_voice_activity, a.voice_activity_chosen_at, a.delegation_version,
  ${allFlags} as flags,
  case when ${hasOwnFactors} then a.totp else coalesce((${ofOwner(sql.fragment`totp`)}), false) end as totp,
  case when ${hasOwnFactors} then a.uses_passkeys else coalesce((${ofOwner(sql.fragment`uses_passkeys`)}), false) end
    as uses_passkeys,
  (select count(*)::int4 from accounts.webauthn_credentials w
    where w.account_id = case when ${hasOwnFactors} then a.id else a.bot_owner_id end) as passkeys`

const holderRow = rowOf(({ id }: { readonly id: AccountId }) => id)
const holders_max = 1000

/** Queries over the accounts read model. */
export function accountQueries(database: Queries): AccountQueries {
  const findMany: AccountQueries['findMany'] = (accounts) =>
    database.any(sql.type(accountRow)`
      select ${accountColumns} from accounts.accounts a where a.id = any(${sql.array([...accounts], 'int8')})`)
  return {
    find: (account) =>
      database.maybeOne(
        sql.type(accountRow)`select ${accountColumns} from accounts.accounts a where a.id = ${account}`,
      ),
    findMany,
    findManyAsStored: findMany,
    bySession: (tokenHash) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns}
        from accounts.sessions s join accounts.accounts a on a.id = s.account_id
        where s.token_hash = ${tokenHash}`),
    holdersOfAllAcls: () =>
      database.any(sql.type(holderRow)`
        select a.id from accounts.accounts a where a.acls @> '{*}' order by a.id limit ${holders_max}`),
    byTag: (username, discriminator) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns} from accounts.accounts a
        where lower(a.username) = ${username.toLowerCase()} and a.discriminator = ${discriminator}
          and not a.is_erased`),
  }
}

/** The accounts with a username, in any case of letters, by their discriminators; at most `limit`. For the command line. */
export function accountsWithUsername(
  database: Queries,
  username: string,
  limit: number,
): Promise<readonly AccountRecord[]> {
  return database.any(sql.type(accountRow)`
    select ${accountColumns} from accounts.accounts a
    where lower(a.username) = ${username.toLowerCase()} and not a.is_erased order by a.discriminator limit ${limit}`)
}

/** The accounts that hold Admin ACLs, the oldest first, at most `limit`. For the command line: it reads the whole table. */
export function administrators(database: Queries, limit: number): Promise<readonly AccountRecord[]> {
  return database.any(sql.type(accountRow)`
    select ${accountColumns} from accounts.accounts a where a.acls <> '{}' order by a.id limit ${limit}`)
}
