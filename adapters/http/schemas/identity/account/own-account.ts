import { z } from 'zod'
import type { AccountPatch } from '../../../../../application/identity/own-account/account-patch.ts'
import {
  emailLength,
  globalNameLength,
  parseDiscriminator,
  parseEmail,
  parseGlobalName,
  usernameLength,
} from '../../../../../domain/account/names.ts'
import { parsed, unparsed } from '../../../../../domain/kernel/parsed.ts'
import { normalised } from '../../../../../domain/text/normalise.ts'
import { colorInput } from '../../colors.ts'
import { profileImageInput } from '../../images.ts'
import { newPasswordInput, presentPasswordInput } from '../../passwords.ts'
import { issue, orNull, readBy, textInput } from '../../scalars.ts'
import { timestampOutput, secretOutput } from '../../../../../application/wire-objects/scalars.ts'

const ticket = textInput({ min: 1, max: 256 })
const code = textInput({ min: 1, max: 256 })
const proof = textInput({ min: 1, max: 256 })
const emailToken = textInput({ min: 1, max: 256 })

/** At most four digits, or a number: 0-9999. */
export const discriminatorInput = z
  .union([z.string(), z.number()])
  .meta({ description: 'Up to four digits, or a number from 0 to 9999.' })
  .transform((given, context) => {
    const read = parseDiscriminator(given)
    return read.ok ? read.value : issue(context, read.code)
  })

/** The body of Modify current user. Members that are not sent stay as they are. */
export const accountPatch = z.object({
  username: z.string().meta({ minLength: usernameLength.min, maxLength: usernameLength.max }).optional(),
  discriminator: discriminatorInput.optional(),
  global_name: readBy(parseGlobalName, globalNameLength).nullable().optional(),
  email: z.string().optional(),
  new_password: newPasswordInput.optional(),
  password: orNull(presentPasswordInput),
  avatar: profileImageInput.nullable().optional(),
  banner: profileImageInput.nullable().optional(),
  bio: textInput({ min: 1, max: 320 }).nullable().optional(),
  pronouns: textInput({ min: 1, max: 40 }).nullable().optional(),
  accent_color: colorInput.nullable().optional(),
  timezone: textInput({ min: 1, max: 128 }).nullable().optional(),
  timezone_privacy_flags: z.int().optional(),
  premium_badge_hidden: z.boolean().optional(),
  premium_badge_masked: z.boolean().optional(),
  premium_badge_timestamp_hidden: z.boolean().optional(),
  premium_badge_sequence_hidden: z.boolean().optional(),
  premium_enabled_override: z.boolean().optional(),
  has_dismissed_premium_onboarding: z.boolean().optional(),
  has_unread_gift_inventory: z.boolean().optional(),
  mention_flags: z.int().min(0).max(2).optional(),
  email_token: emailToken.optional(),
}) satisfies z.ZodType<AccountPatch>

/** The body of Accept terms is an object whose members are ignored. */
export const termsAcceptance = z.object({})

export const tagQuery = z.object({
  username: textInput(usernameLength),
  discriminator: discriminatorInput,
})
export const tagAnswer = z
  .object({ taken: z.boolean().describe('Whether another account has this tag.') })
  .meta({ id: 'TagAvailability' })

/** The steps of an e-mail change (rules/users#a-new-address). */
export const changeTicket = z.object({ ticket })
export const changeCode = z.object({ ticket, code })
const newEmail = readBy((text) => {
  if (normalised(text) === '') return unparsed('EMAIL_IS_REQUIRED')
  const email = parseEmail(text)
  return email.ok ? parsed(email.value) : unparsed('INVALID_EMAIL_ADDRESS')
}, emailLength)
export const newAddress = z
  .object({ ticket, new_email: newEmail, original_proof: proof, new_password: orNull(newPasswordInput) })
  .transform((body) => ({
    ticket: body.ticket,
    newEmail: body.new_email,
    originalProof: body.original_proof,
    newPassword: body.new_password,
  }))
export const replacingAddress = z
  .object({ new_email: newEmail })
  .transform(({ new_email: newAddress }) => ({ newEmail: newAddress }))
export const newAddressCode = z
  .object({ ticket, code, original_proof: proof })
  .transform(({ original_proof: originalProof, ...given }) => ({ ...given, originalProof }))
export const emailTokenBody = z.object({ email_token: emailToken })

const instant = timestampOutput.nullable()
export const startedEmailChange = z.object({
  ticket: secretOutput.describe('From the step before; it expires.'),
  require_original: z.boolean().describe('Whether a code that was mailed to the present address is needed.'),
  original_email: z
    .string()
    .nullable()
    .describe('The present address, to which the code was mailed; null if none is needed.'),
  original_proof: secretOutput
    .nullable()
    .describe(
      'Proves the present address. Verify present e-mail address gives it, or the first step if none is needed.',
    ),
  original_code_expires_at: instant,
  resend_available_at: instant.describe('Before that, no other code can be asked for.'),
})
export const originalProof = z.object({
  original_proof: secretOutput.describe(
    'Proves the present address. Verify present e-mail address gives it, or the first step if none is needed.',
  ),
})
export const requestedAddress = z.object({
  ticket: secretOutput.describe('From the step before; it expires.'),
  new_email: z.string(),
  new_code_expires_at: timestampOutput.describe('From then on the code mailed to the new address is refused.'),
  resend_available_at: timestampOutput.describe('Before that, no other code can be asked for.'),
})
export const issuedEmailToken = z.object({
  email_token: secretOutput.describe('The last step of an e-mail change gave it: Verify new e-mail address.'),
})

/** The steps of a password change (rules/users#a-new-password). */
export const newPasswordBody = z
  .object({ ticket, verification_proof: proof, new_password: newPasswordInput })
  .transform((body) => ({ ticket: body.ticket, proof: body.verification_proof, newPassword: body.new_password }))
export const startedPasswordChange = z.object({
  ticket: secretOutput.describe('From the step before; it expires.'),
  code_expires_at: timestampOutput.describe('From then on the mailed code is refused.'),
  resend_available_at: timestampOutput.describe('Before that, no other code can be asked for.'),
})
export const issuedProof = z.object({
  verification_proof: secretOutput.describe('Verify backup codes challenge, or Verify password change code, gave it.'),
})
export const changedPassword = z.object({
  token: secretOutput,
  auth_session_id_hash: z.string().describe('The new session, by the SHA-256 of its token in base64url.'),
})
