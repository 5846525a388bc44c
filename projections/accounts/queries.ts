import { rowOf, sql, type Queries } from '../../application/ports/database.js'
import type { AccountQueries, AccountRecord } from '../../application/ports/queries/account-queries.js'
import { accountFlags } from '../../domain/account/flags.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

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
  readonly bot: boolean
  readonly bot_owner_id: AccountId | null
  readonly acls: readonly string[]
  readonly registered_at: Timestamp
  readonly terms_accepted_at: Timestamp | null
  readonly totp: boolean
  readonly passkeys: number
  readonly uses_passkeys: boolean
  readonly single_sign_on: boolean
  readonly shares_voice_activity: boolean
  readonly voice_activity_chosen_at: Timestamp | null
}

/** Reads the result of `accountColumns`. */
export const accountRow = rowOf((row: AccountColumns): AccountRecord => ({
  id: row.account_id,
  username: row.username,
  discriminator: row.discriminator,
  profile: {
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
  },
  email: row.email,
  emailVerified: row.email_verified,
  emailBounced: row.email_bounced,
  isErased: row.is_erased,
  hasPassword: row.has_password,
  hasSingleSignOn: row.single_sign_on,
  passwordChangedAt: row.password_changed_at,
  dateOfBirth: row.date_of_birth,
  locale: row.locale,
  flags: row.flags,
  bot: row.bot,
  botOwnerId: row.bot_owner_id,
  acls: row.acls,
  registeredAt: row.registered_at,
  termsAcceptedAt: row.terms_accepted_at,
  sharesVoiceActivity: row.shares_voice_activity,
  voiceActivityChosenAt: row.voice_activity_chosen_at,
  secondFactors: { totp: row.totp, passkeys_count: row.passkeys, usesPasskeys: row.uses_passkeys },
}))

const disabledFlag = accountFlags.DISABLED.toString()
const selfDeletedFlag = accountFlags.SELF_DELETED.toString()

const ofOwner = (column: ReturnType<typeof sql.fragment>) =>
  sql.fragment`select o.${column} from accounts.accounts o where o.id = a.bot_owner_id`

/**
 * For accounts.accounts as a. The names differ from those of guild columns, which may be selected beside them. The flags include
 * what the holder did to the account. A bot has its owner's second factors (reference identity 5.5; contract part 1, MFA rules).
 */
export const accountColumns = sql.fragment`
  a.id as account_id, a.username, a.discriminator, a.global_name, a.avatar as account_avatar, a.banner as account_banner, a.avatar_color, a.banner_color, a.bio, a.pronouns, a.accent_color, a.mention_flags,
  a.premium_badge_hidden, a.premium_badge_masked, a.premium_badge_timestamp_hidden, a.premium_badge_sequence_hidden,
  a.has_dismissed_premium_onboarding, a.email, a.email_verified, a.email_bounced, a.is_erased, a.has_password, a.password_changed_at, a.date_of_birth,
  a.locale, a.bot, a.bot_owner_id, a.acls, a.registered_at, a.terms_accepted_at, a.single_sign_on,
  a.shares_voice_activity, a.voice_activity_chosen_at,
  a.flags | case when a.is_disabled then ${disabledFlag}::int8 else 0 end
    | case when a.self_deletion_due_at is null then 0 else ${selfDeletedFlag}::int8 end as flags,
  case when a.bot_owner_id is null then a.totp else coalesce((${ofOwner(sql.fragment`totp`)}), false) end as totp,
  case when a.bot_owner_id is null then a.uses_passkeys else coalesce((${ofOwner(sql.fragment`uses_passkeys`)}), false) end
    as uses_passkeys,
  (select count(*)::int4 from accounts.webauthn_credentials w where w.account_id = coalesce(a.bot_owner_id, a.id))
    as passkeys`

/** Queries over the accounts read model. */
export function accountQueries(database: Queries): AccountQueries {
  return {
    find: (account) =>
      database.maybeOne(
        sql.type(accountRow)`select ${accountColumns} from accounts.accounts a where a.id = ${account}`,
      ),
    findMany: (accounts) =>
      database.any(sql.type(accountRow)`
        select ${accountColumns} from accounts.accounts a where a.id = any(${sql.array([...accounts], 'int8')})`),
    bySession: (tokenHash) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns}
        from accounts.sessions s join accounts.accounts a on a.id = s.account_id
        where s.token_hash = ${tokenHash}`),
    byTag: (username, discriminator) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns} from accounts.accounts a
        where lower(a.username) = ${username.toLowerCase()} and a.discriminator = ${discriminator}
          and not a.is_erased`),
  }
}
