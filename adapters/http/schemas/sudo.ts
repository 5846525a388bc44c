import { z } from 'zod'
import { orNull, textInput } from './scalars.js'

/** Sudo verification fields (contract part 1). Nothing reads them before second factors are built. */
export const sudoFields = z.object({
  password: orNull(z.string()),
  mfa_method: orNull(z.enum(['totp', 'webauthn'])),
  mfa_code: orNull(textInput({ min: 1, max: 32 })),
  webauthn_response: orNull(z.looseObject({})),
  webauthn_challenge: orNull(z.string()),
})
