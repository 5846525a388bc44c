import { z } from 'zod'
import type { PendingRegistration, RegistrationUrlRecord } from '../../ports/queries/registration-queries.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const registrationUrlSchema = wireObject('RegistrationUrl', {
  id: snowflakeOutput,
  label: z.string().nullable(),
  created_by_user_id: snowflakeOutput.nullable().describe('Null for one that was made at the command line.'),
  created_at: timestampOutput,
  expires_at: timestampOutput.nullable().describe('Null for never.'),
  max_uses: z.int().nullable().describe('After so many uses it ends; 0 or null for no bound.'),
  use_count: z.int().describe('How many have registered by it.'),
  revoked_at: timestampOutput.nullable(),
  approval_required: z.boolean().describe('Whether those who follow the URL wait for an administrator.'),
  last_used_at: timestampOutput.nullable(),
  last_used_by_user_id: snowflakeOutput.nullable(),
})

export type RegistrationUrlObject = ObjectOf<typeof registrationUrlSchema>

export const pendingRegistrationSchema = wireObject('PendingRegistration', {
  user_id: snowflakeOutput,
  username: z.string(),
  discriminator: z.int().min(0).max(9999).describe('Four digits, with leading zeros.'),
  global_name: z.string().nullable(),
  email: z.string().nullable().describe('Null if the account has none, or if the caller may not see it.'),
  requested_at: timestampOutput,
  registration_url_id: snowflakeOutput.nullable(),
  client_ip: z.string().nullable(),
})

export type PendingRegistrationObject = ObjectOf<typeof pendingRegistrationSchema>

/** A registration URL as operators see it. One made at the command line has no creator. */
export function registrationUrlObject(url: RegistrationUrlRecord): RegistrationUrlObject {
  return objectOf(registrationUrlSchema, {
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
  })
}

/** A waiting registration as operators see it. */
export function pendingRegistrationObject(pending: PendingRegistration): PendingRegistrationObject {
  return objectOf(pendingRegistrationSchema, {
    user_id: pending.accountId,
    username: pending.username,
    discriminator: pending.discriminator,
    global_name: pending.globalName,
    email: pending.email,
    requested_at: pending.requestedAt,
    registration_url_id: pending.registrationUrlId,
    client_ip: pending.clientIp,
  })
}
