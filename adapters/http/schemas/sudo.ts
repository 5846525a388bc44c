import { z } from 'zod'
import type { SudoFields } from '../../../application/identity/sudo/sudo-request.ts'
import { parseText, type Length } from '../../../domain/text/normalise.ts'
import { presentPasswordInput } from './passwords.ts'
import { orNull, readBy, textInput } from './scalars.ts'

const mfaCodeLength: Length = { min: 1, max: 32 }
/** A code of the wrong form is refused as a wrong code is, with INVALID_MFA_CODE. */
const parseMfaCode = (text: string) => parseText(text, mfaCodeLength, 'INVALID_MFA_CODE')

/** Sudo verification fields: members of the body of every operation that may need sudo mode. */
export const sudoFields = z
  .object({
    password: orNull(presentPasswordInput),
    mfa_method: orNull(z.enum(['totp', 'webauthn'])),
    mfa_code: orNull(readBy(parseMfaCode, mfaCodeLength)),
    webauthn_response: orNull(z.looseObject({})),
    webauthn_challenge: orNull(textInput({ min: 1, max: 256 })),
  })
  .transform((body): SudoFields => ({
    password: body.password,
    mfaMethod: body.mfa_method,
    mfaCode: body.mfa_code,
    webauthnResponse: body.webauthn_response,
    webauthnChallenge: body.webauthn_challenge,
  }))
  .meta({ id: 'SudoVerification' })
