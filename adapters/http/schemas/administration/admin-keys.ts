import { z } from 'zod'
import { aclsInput } from './admin-acls.ts'
import { nameInput, orNull } from '../scalars.ts'
import { snowflakeOutput, timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'
import { aclsOutput } from '../../../../application/wire-objects/administration/admin-user-object.ts'

const name = nameInput({ min: 1, max: 100 })

/** The body of Create Admin API key. */
export const adminKeyWishes = z
  .object({ name, expires_in_days: orNull(z.int().min(1).max(365)), acls: aclsInput })
  .transform((body) => ({ name: body.name, expiresIn_days: body.expires_in_days, acls: body.acls }))

/** The body may be absent, which changes nothing. */
export const adminKeyChanges = z
  .object({ name: name.optional(), acls: aclsInput.optional() })
  .optional()
  .transform((body) => ({
    ...(body?.name === undefined ? {} : { name: body.name }),
    ...(body?.acls === undefined ? {} : { acls: body.acls }),
  }))

const members = {
  key_id: snowflakeOutput,
  name: z.string(),
  acls: aclsOutput.describe('Rights of the registry of ACLs; * stands for all.'),
  created_at: timestampOutput,
  expires_at: timestampOutput.nullable().describe('Null for never.'),
}

export const adminKey = z
  .object({ ...members, created_by_user_id: snowflakeOutput, last_used_at: timestampOutput.nullable() })
  .meta({ id: 'AdminKey' })

export const newAdminKey = z.object({ ...members, key: secretOutput }).meta({ id: 'NewAdminKey' })

export const done = z.object({ success: z.literal(true) })
