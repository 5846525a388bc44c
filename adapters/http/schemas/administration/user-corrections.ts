import { z } from 'zod'
import { profileFields } from '../../../../application/administration/users/clear-profile-fields.ts'
import { parseDiscriminator, usernameLength } from '../../../../domain/account/names.ts'
import { readBy } from '../scalars.ts'
import { timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

const profileFields_max = 10

/** The body of Change user username. The use case parses the username, since that depends on the service's name. */
export const usernameChange = z.object({
  username: z.string().meta({ minLength: usernameLength.min, maxLength: usernameLength.max }),
  discriminator: readBy(parseDiscriminator, { min: 1, max: 4 }).optional(),
})

/** The body of Clear user profile fields. An empty list clears nothing. */
export const clearedFields = z.object({ fields: z.array(z.enum(profileFields)).max(profileFields_max) })

export const passwordResetLink = z
  .object({ url: secretOutput, expires_at: timestampOutput })
  .meta({ id: 'PasswordResetLink', description: 'The token in the fragment of the URL serves once, within an hour.' })
