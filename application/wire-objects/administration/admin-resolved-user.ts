import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { imageHashOutput, nullableText, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** The account that another object names. */
export const adminResolvedUserSchema = wireObject('AdminResolvedUser', {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: z.string().describe('Four digits, with leading zeros.'),
  global_name: nullableText,
  avatar: imageHashOutput,
})

export type AdminResolvedUser = ObjectOf<typeof adminResolvedUserSchema>

/** An account that another object for administrators names. */
export function adminResolvedUser({ id, username, discriminator, profile }: AccountRecord): AdminResolvedUser {
  return objectOf(adminResolvedUserSchema, {
    id,
    username,
    discriminator: paddedDiscriminator(discriminator),
    global_name: profile.globalName,
    avatar: profile.avatar,
  })
}

/** A discriminator in four digits. */
export function paddedDiscriminator(discriminator: number): string {
  return discriminator.toString().padStart(4, '0')
}
