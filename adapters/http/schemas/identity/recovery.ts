import { z } from 'zod'
import { emailLength, globalNameLength, parseEmail, parseGlobalName } from '../../../../domain/account/names.ts'
import { parsed, unparsed } from '../../../../domain/kernel/parsed.ts'
import { hasLength, isStorable, normalised } from '../../../../domain/text/normalise.ts'
import { mailedToken_characters } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { newPasswordInput } from '../passwords.ts'
import { readBy } from '../scalars.ts'

const tokenLength = { min: mailedToken_characters, max: mailedToken_characters }

/** A token from a mail: exactly 64 characters. */
const mailedToken = readBy((text) => {
  const token = normalised(text)
  if (!hasLength(token, tokenLength)) return unparsed('STRING_LENGTH_EXACT')
  return isStorable(token) ? parsed(token) : unparsed('INVALID_FORMAT')
}, tokenLength)

export const verification = z.object({ token: mailedToken })

export const forgottenPassword = z.object({ email: readBy(parseEmail, emailLength) })

/** The token from a mail, in the path. */
export const tokenParameter = z.object({ token: mailedToken })

/** The body of Reset password and of Revert e-mail address. */
export const newPassword = z.object({ token: mailedToken, password: newPasswordInput })

export const tokenValidity = z
  .object({ valid: z.boolean().describe('Whether the token can still be used.') })
  .meta({ id: 'ResetTokenValidity' })

/** Username suggestions. */
export const suggestionWish = z.object({ global_name: readBy(parseGlobalName, globalNameLength) })

/** Username suggestions. */
export const usernameSuggestions = z
  .object({ suggestions: z.array(z.string()).max(20).describe('Usernames that are free.') })
  .meta({ id: 'UsernameSuggestions' })
