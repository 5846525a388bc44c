import { isAdminAcl, isWithin, type AclBound } from '../../../domain/admin/acls.js'
import type { Profile } from '../../../domain/account/profile.js'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import { authenticatorTypes } from '../identity/user-objects.js'

/** The parts of an Admin user object that are not in the accounts read model. */
export interface AdminUserFacts {
  /** The hashes of the images it has set, whether or not they are shown now. */
  readonly images: Pick<Profile, 'avatar' | 'banner'>
  readonly lastActiveAt: Timestamp | null
  readonly lastActiveIp: string | null
}

/** Whether each protected field is shown. */
export interface AdminUserView {
  readonly email: boolean
  readonly dateOfBirth: boolean
  readonly ip: boolean
  readonly auditLogReason: boolean
}

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

/** The Admin user object (contract part 3). Parts that are not implemented yet have their empty form. */
export type AdminUserObject = ReturnType<typeof adminUserObject>

export function adminUserObject(account: AccountRecord, facts: AdminUserFacts, view: AdminUserView, now: Timestamp) {
  const { bannedUntil, deletion, messageDeletion, profile, secondFactors } = account
  return {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator,
    global_name: profile.globalName,
    bot: account.bot,
    system: account.system,
    flags: account.flags,
    premium_flags: account.premiumFlags,
    avatar: facts.images.avatar,
    banner: facts.images.banner,
    bio: profile.bio,
    pronouns: profile.pronouns,
    accent_color: profile.accentColor,
    email: view.email ? account.email : null,
    email_verified: view.email && account.emailVerified,
    email_bounced: view.email && account.emailBounced,
    date_of_birth: view.dateOfBirth ? account.dateOfBirth : null,
    locale: account.locale,
    premium_type: 0,
    premium_since: null,
    premium_until: null,
    premium_grace_ends_at: null,
    premium_lifetime_sequence: null,
    temp_banned_until: bannedUntil !== null && msOf(bannedUntil) > msOf(now) ? bannedUntil : null,
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
    last_active_at: facts.lastActiveAt,
    last_active_ip: view.ip ? facts.lastActiveIp : null,
    last_active_ip_reverse: null,
    last_active_location: null,
  }
}
