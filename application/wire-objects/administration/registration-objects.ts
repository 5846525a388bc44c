import type { PendingRegistration, RegistrationUrlRecord } from '../../ports/queries/registration-queries.ts'

export type RegistrationUrlObject = ReturnType<typeof registrationUrlObject>
export type PendingRegistrationObject = ReturnType<typeof pendingRegistrationObject>

/** A registration URL as operators see it. One made at the command line has no creator. */
export function registrationUrlObject(url: RegistrationUrlRecord) {
  return {
    id: url.id,
    label: url.label,
    created_by_user_id: url.createdBy,
    created_at: url.createdAt,
    expires_at: url.expiresAt,
    max_uses: url.maxUses,
    use_count: url.useCount,
    revoked_at: url.revokedAt,
    approval_required: url.approvalRequired,
    last_used_at: url.lastUsedAt,
    last_used_by_user_id: url.lastUsedBy,
  } as const
}

/** A waiting registration as operators see it. */
export function pendingRegistrationObject(pending: PendingRegistration) {
  return {
    user_id: pending.accountId,
    username: pending.username,
    discriminator: pending.discriminator,
    global_name: pending.globalName,
    email: pending.email,
    requested_at: pending.requestedAt,
    registration_url_id: pending.registrationUrlId,
    client_ip: pending.clientIp,
  } as const
}
