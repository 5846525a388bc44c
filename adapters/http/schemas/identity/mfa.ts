import { z } from 'zod'
import { parseText, type Length } from '../../../../domain/text/normalise.ts'
import { timestampOutput } from '../outputs.ts'
import { readBy, textInput } from '../scalars.ts'
import { secretOutput } from '../secrets.ts'

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

const backupCode = z.object({ code: secretOutput, consumed: z.boolean() })
const backupCodesMembers = { backup_codes: z.array(backupCode).readonly() }

export const backupCodesOutput = z.object(backupCodesMembers).meta({ id: 'BackupCodes' })
export const verifiedBackupCodes = z.object({ ...backupCodesMembers, verification_proof: secretOutput })
export const startedChallenge = z.object({
  ticket: secretOutput,
  code_expires_at: timestampOutput,
  resend_available_at: timestampOutput,
})
export const sudoMethods = z
  .object({ totp: z.boolean(), webauthn: z.boolean(), backup_codes: z.boolean(), has_mfa: z.boolean() })
  .meta({ id: 'SudoMethods' })

/** The password was right; a second factor is asked for (rules/credentials#second-step). */
export const mfaChallenge = z
  .object({
    mfa: z.literal(true),
    ticket: secretOutput,
    allowed_methods: z
      .array(z.enum(['totp', 'webauthn']))
      .max(10)
      .readonly(),
    totp: z.boolean(),
    webauthn: z.boolean(),
  })
  .meta({ id: 'MfaChallenge' })
