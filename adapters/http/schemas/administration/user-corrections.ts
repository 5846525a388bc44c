import { z } from 'zod'
import { profileFields } from '../../../../application/administration/users/clear-profile-fields.js'
import { parseDiscriminator, usernameLength } from '../../../../domain/account/names.js'
import { timestampOutput } from '../outputs.js'
import { readBy } from '../scalars.js'
import { secretOutput } from '../secrets.js'

const profileFields_max = 10

/** Contract part 3, Change user username. The use case parses the username, since that depends on the service's name. */
export const usernameChange = z.object({
  username: z.string().meta({ minLength: usernameLength.min, maxLength: usernameLength.max }),
  discriminator: readBy(parseDiscriminator, { min: 1, max: 4 }).optional(),
})

/** Contract part 3, Clear user profile fields. */
export const clearedFields = z.object({ fields: z.array(z.enum(profileFields)).max(profileFields_max) })

/** Contract part 3, Other objects. */
export const passwordResetLink = z
  .object({ url: secretOutput, expires_at: timestampOutput })
  .meta({ id: 'PasswordResetLink', description: 'The token in the fragment of the URL serves once, within an hour.' })
