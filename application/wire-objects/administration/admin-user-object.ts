import { isAdminAcl, isWithin, type AclBound } from '../../../domain/admin/acls.js'
import type { Profile } from '../../../domain/account/profile.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import { authenticatorTypes } from '../identity/user-objects.js'

/** The parts of an Admin user object that are not in the accounts read model. */
export interface AdminUserFacts {
  /** The hashes of the images it has set, whether or not they are shown now. */
  readonly images: Pick<Profile, 'avatar' | 'banner'>
  readonly pendingDeletionAt: Timestamp | null
  readonly lastActiveAt: Timestamp | null
  readonly lastActiveIp: string | null
}

/** Whether each protected field is shown. */
export interface AdminUserView {
  readonly email: boolean
  readonly dateOfBirth: boolean
  readonly ip: boolean
}

/** What a credential may see of other accounts. */
export function viewWithin(bound: AclBound): AdminUserView {
  return {
    email: isWithin(bound, 'user:view:email'),
    dateOfBirth: isWithin(bound, 'user:view:dob'),
    ip: isWithin(bound, 'user:view:ip'),
  }
}

/** An account sees all its own fields. */
export const everythingShown: AdminUserView = { email: true, dateOfBirth: true, ip: true }

/** The Admin user object (contract part 3). Parts that are not implemented yet have their empty form. */
export type AdminUserObject = ReturnType<typeof adminUserObject>

export function adminUserObject(account: AccountRecord, facts: AdminUserFacts, view: AdminUserView) {
  const { profile, secondFactors } = account
  return {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator,
    global_name: profile.globalName,
    bot: account.bot,
    system: false,
    flags: account.flags,
    premium_flags: 0,
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
    temp_banned_until: null,
    pending_deletion_at: facts.pendingDeletionAt,
    pending_bulk_message_deletion_at: null,
    deletion_reason_code: facts.pendingDeletionAt === null ? null : userRequested,
    deletion_public_reason: null,
    deletion_audit_log_reason: null,
    deletion_scheduled_by: null,
    deletion_scheduled_at: null,
    acls: account.acls.filter(isAdminAcl),
    traits: [] as readonly string[],
    has_totp: secondFactors.totp,
    authenticator_types: authenticatorTypes(account),
    last_active_at: facts.lastActiveAt,
    last_active_ip: view.ip ? facts.lastActiveIp : null,
    last_active_ip_reverse: null,
    last_active_location: null,
  }
}

/** The deletion reason code USER_REQUESTED (contract part 3, Registries). */
const userRequested = 1
