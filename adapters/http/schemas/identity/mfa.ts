import { z } from 'zod'
import { parseText, type Length } from '../../../../domain/text/normalise.ts'
import { readBy, textInput } from '../scalars.ts'
import { timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

const codeLength: Length = { min: 1, max: 32 }
const secretText = textInput({ min: 1, max: 256 })
const ticket = textInput({ min: 1, max: 256 })
const emailedCode = textInput({ min: 1, max: 256 })
const verificationProof = textInput({ min: 1, max: 256 })
/** Any fault of an authenticator code makes it a wrong code. */
const code = readBy((text) => parseText(text, codeLength, 'INVALID_CODE'), codeLength)

export const totpSetUp = z.object({ secret: secretText, code })
export const totpCode = z.object({ code })
export const backupCodesWish = z.object({ regenerate: z.boolean() })
export const challengeTicket = z.object({ ticket })
export const challengeAnswer = z.object({ ticket, code: emailedCode })
export const challengeProof = z
  .object({ ticket, verification_proof: verificationProof })
  .transform(({ ticket: given, verification_proof: proof }) => ({ ticket: given, proof }))

export const totpCompletion = z.object({ code, ticket })

const backupCode = z.object({ code: secretOutput, consumed: z.boolean().describe('Whether the code was used.') })
const backupCodesMembers = {
  backup_codes: z.array(backupCode).readonly().describe('Each can be used once in place of the second factor.'),
}

export const backupCodesOutput = z.object(backupCodesMembers).meta({ id: 'BackupCodes' })
export const verifiedBackupCodes = z.object({
  ...backupCodesMembers,
  verification_proof: secretOutput.describe('Verify backup codes challenge, or Verify password change code, gave it.'),
})
export const startedChallenge = z.object({
  ticket: secretOutput.describe('From the step before; it expires.'),
  code_expires_at: timestampOutput.describe('From then on the mailed code is refused.'),
  resend_available_at: timestampOutput.describe('Before that, no other code can be asked for.'),
})
export const sudoMethods = z
  .object({
    totp: z.boolean().describe('Whether an authenticator app is one of them.'),
    webauthn: z.boolean().describe('Whether a passkey is one of them.'),
    backup_codes: z.boolean().describe('Whether the account has unused backup codes.'),
    has_mfa: z.boolean().describe('Whether a second factor is needed instead of the password.'),
  })
  .meta({ id: 'SudoMethods' })

/** The password was right; a second factor is asked for (rules/credentials#second-step). */
export const mfaChallenge = z
  .object({
    mfa: z.literal(true),
    ticket: secretOutput.describe('From the step before; it expires.'),
    allowed_methods: z
      .array(z.enum(['totp', 'webauthn']))
      .max(10)
      .readonly()
      .describe('The second factors that the account can be asked for.'),
    totp: z.boolean().describe('Whether an authenticator app is one of them.'),
    webauthn: z.boolean().describe('Whether a passkey is one of them.'),
  })
  .meta({ id: 'MfaChallenge' })
