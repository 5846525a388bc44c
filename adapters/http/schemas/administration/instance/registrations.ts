import { z } from 'zod'
import { registrationUrlLimits } from '../../../../../domain/registration-url/state.ts'
import { orNull, textInput, withDefault } from '../../scalars.ts'
import { timestampInput } from '../../timestamps.ts'
import { snowflakeOutput, timestampOutput, secretOutput } from '../../../../../application/wire-objects/scalars.ts'

const { label, maxUses } = registrationUrlLimits

/** The settings of a registration URL. The body may be absent: nothing in it is required. */
export const registrationUrlWishes = z
  .object({
    label: orNull(textInput(label)),
    expires_at: orNull(timestampInput),
    max_uses: orNull(z.int().min(maxUses.min).max(maxUses.max)),
    approval_required: withDefault(z.boolean(), false),
  })
  .prefault({})
  .transform((body) => ({
    label: body.label,
    expiresAt: body.expires_at,
    maxUses: body.max_uses,
    approvalRequired: body.approval_required,
  }))

export const registrationUrl = z
  .object({
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
  .meta({ id: 'RegistrationUrl' })

/** The only answer that holds the code, which is also in `url`. */
export const newRegistrationUrl = z.object({ registration_url: registrationUrl, code: secretOutput, url: secretOutput })

export const registrationDecision = z.object({ status: z.enum(['approved', 'rejected']) })

export const pendingRegistration = z
  .object({
    user_id: snowflakeOutput,
    username: z.string(),
    discriminator: z.int().min(0).max(9999).describe('Four digits, with leading zeros.'),
    global_name: z.string().nullable(),
    email: z.string().nullable().describe('Null if the account has none, or if the caller may not see it.'),
    requested_at: timestampOutput,
    registration_url_id: snowflakeOutput.nullable(),
    client_ip: z.string().nullable(),
  })
  .meta({ id: 'PendingRegistration' })
