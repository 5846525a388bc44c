import { z } from 'zod'
import { isAdminAcl, isWithin, type AclBound, adminAcls } from '../../../domain/admin/acls.ts'
import { isBanned } from '../../../domain/account/ban.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { endOf } from '../../../domain/premium/premium.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { premiumFlags } from '../../../domain/premium/premium-flags.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { authenticatorTypes } from '../identity/user-objects.ts'
import { imageHashOutput, nullableText, nullableTimestamp, snowflakeOutput, premiumTypeOutput } from '../scalars.ts'
import { bitsInWords } from '../registries-in-words.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const aclsOutput = z.array(z.enum(adminAcls)).max(adminAcls.length).readonly()

const nullableInteger = z.int().nullable()

/**
 * An account as administrators see it. Every member is always there; what the caller may not see is null or false
 * (rules/administration#what-is-redacted).
 */
export const adminUserSchema = wireObject('AdminUser', {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: z.int().describe('Four digits, with leading zeros.'),
  global_name: nullableText,
  bot: z.boolean().describe('Whether the account is a bot.'),
  system: z.boolean().describe('Whether the account is the service’s own.'),
  flags: z.string().describe(`All bits as a decimal string: ${bitsInWords(accountFlags)}`),
  premium_flags: z.int().describe(bitsInWords(premiumFlags)),
  avatar: imageHashOutput,
  banner: imageHashOutput,
  bio: nullableText.describe('About the account, in Markdown. Null if it is empty.'),
  pronouns: nullableText.describe('Null if they are empty.'),
  accent_color: nullableInteger.describe('Null if none is chosen.'),
  email: nullableText.describe('Null if the account has none, or if the caller may not see it.'),
  email_verified: z.boolean().describe('Whether the e-mail address is confirmed.'),
  email_bounced: z.boolean().describe('Whether mails to the address came back.'),
  date_of_birth: nullableText.describe('YYYY-MM-DD. Null if it is not known.'),
  locale: nullableText.describe('The language of the client and of mails.'),
  premium_type: premiumTypeOutput,
  premium_since: nullableTimestamp.describe('Null if there is none, or it is hidden.'),
  premium_until: nullableTimestamp.describe('Null if it has no end, or there is none.'),
  premium_grace_ends_at: nullableTimestamp,
  premium_lifetime_sequence: nullableInteger.describe('The number of a lifetime’s premium; null for others.'),
  temp_banned_until: nullableTimestamp,
  pending_deletion_at: nullableTimestamp,
  pending_bulk_message_deletion_at: nullableTimestamp,
  deletion_reason_code: nullableInteger.describe('Why the account is to be deleted; null if it is not.'),
  deletion_public_reason: nullableText,
  deletion_audit_log_reason: nullableText,
  deletion_scheduled_by: snowflakeOutput.nullable(),
  deletion_scheduled_at: nullableTimestamp,
  acls: aclsOutput.describe('Rights of the registry of ACLs; * stands for all.'),
  traits: z.array(z.string()).readonly().describe('What rules of limits can ask for, beside premium.'),
  has_totp: z.boolean().describe('Whether the account has an authenticator app.'),
  authenticator_types: z.array(z.int()).readonly().describe('0 TOTP, 2 WEBAUTHN.'),
  last_active_at: nullableTimestamp,
  last_active_ip: nullableText,
  last_active_ip_reverse: nullableText,
  last_active_location: nullableText,
})

export type AdminUserObject = ObjectOf<typeof adminUserSchema>

/** The host name and the location of an address, each null if it is not known. */
export interface NetworkFacts {
  readonly hostName: string | null
  readonly location: string | null
}

/** Whether each protected field is shown. */
export interface AdminUserView {
  readonly email: boolean
  readonly dateOfBirth: boolean
  readonly ip: boolean
  readonly auditLogReason: boolean
}

/** Stands for a text that the caller may not see. */
export const redacted = '[redacted]'

/** What a credential may see of other accounts. */
export function viewWithin(bound: AclBound): AdminUserView {
  return {
    email: isWithin(bound, 'user:view:email'),
    dateOfBirth: isWithin(bound, 'user:view:dob'),
    ip: isWithin(bound, 'user:view:ip'),
    auditLogReason: isWithin(bound, 'audit_log:view'),
  }
}

/** What a credential may see of its own account: all but the reasons that administrators keep from it. */
export function ownViewWithin(bound: AclBound): AdminUserView {
  return { ...viewWithin(bound), email: true, dateOfBirth: true, ip: true }
}

/** When an account was last active, and from where. */
export interface LastActivity {
  readonly at: Timestamp | null
  readonly ip: string | null
  /** What look-ups say of that address: nothing where the address is not shown. */
  readonly network: NetworkFacts
}

/** `account` is as it is stored: the images that it has set are shown, whether or not others see them now. */
export function adminUserObject(
  account: AccountRecord,
  active: LastActivity,
  view: AdminUserView,
  now: Timestamp,
): AdminUserObject {
  const { bannedUntil, deletion, messageDeletion, premium, profile, secondFactors } = account
  return objectOf(adminUserSchema, {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator,
    global_name: profile.globalName,
    bot: account.bot,
    system: account.system,
    flags: account.flags,
    premium_flags: account.premiumFlags,
    avatar: profile.avatar,
    banner: profile.banner,
    bio: profile.bio,
    pronouns: profile.pronouns,
    accent_color: profile.accentColor,
    email: view.email ? account.email : null,
    email_verified: view.email && account.emailVerified,
    email_bounced: view.email && account.emailBounced,
    date_of_birth: view.dateOfBirth ? account.dateOfBirth : null,
    locale: account.locale,
    premium_type: premium.type,
    premium_since: premium.since,
    premium_until: endOf(premium),
    premium_grace_ends_at: premium.graceEndsAt,
    premium_lifetime_sequence: premium.type === 2 ? premium.lifetimeNumber : null,
    temp_banned_until: isBanned(account, now) ? bannedUntil : null,
    pending_deletion_at: deletion?.dueAt ?? null,
    pending_bulk_message_deletion_at: messageDeletion?.dueAt ?? null,
    deletion_reason_code: deletion?.reasonCode ?? null,
    deletion_public_reason: deletion?.publicReason ?? null,
    deletion_audit_log_reason: view.auditLogReason ? (deletion?.auditLogReason ?? null) : null,
    deletion_scheduled_by: deletion?.scheduledBy ?? null,
    deletion_scheduled_at: deletion?.scheduledAt ?? null,
    acls: account.acls.filter(isAdminAcl),
    traits: account.traits,
    has_totp: secondFactors.totp,
    authenticator_types: authenticatorTypes(account),
    last_active_at: active.at,
    last_active_ip: view.ip ? active.ip : null,
    last_active_ip_reverse: active.network.hostName,
    last_active_location: active.network.location,
  })
}
