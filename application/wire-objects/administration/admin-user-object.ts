import { isAdminAcl, isWithin, type AclBound } from '../../../domain/admin/acls.ts'
import { isBanned } from '../../../domain/account/ban.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { endOf } from '../../../domain/premium/premium.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { authenticatorTypes } from '../identity/user-objects.ts'

/** The host name and the location of an address, each null if it is not known. */
export interface NetworkFacts {
  readonly hostName: string | null
  readonly place: string | null
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

/**
 * An account as administrators see it. What the caller has no ACL for is redacted
 * (rules/administration#what-is-redacted).
 */
export type AdminUserObject = ReturnType<typeof adminUserObject>

/** When an account was last active, and from where. */
export interface LastActivity {
  readonly at: Timestamp | null
  readonly ip: string | null
  /** What look-ups say of that address: nothing where the address is not shown. */
  readonly network: NetworkFacts
}

/** `account` is as it is stored: the images that it has set are shown, whether or not others see them now. */
export function adminUserObject(account: AccountRecord, active: LastActivity, view: AdminUserView, now: Timestamp) {
  const { bannedUntil, deletion, messageDeletion, premium, profile, secondFactors } = account
  return {
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
    last_active_location: active.network.place,
  }
}
