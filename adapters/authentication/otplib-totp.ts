import { createGuardrails, ScureBase32Plugin, verifySync } from 'otplib'
import type { Totp } from '../../application/ports/totp.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'

const step_s = 30
const skew_s = 30
/** 80 bits, as older authenticators generate; newer ones generate 160. */
const secret_bytes_min = 10
/** 256 characters of Base32, the most that a client may choose. */
const secret_bytes_max = 160

const guardrails = createGuardrails({ MIN_SECRET_BYTES: secret_bytes_min, MAX_SECRET_BYTES: secret_bytes_max })
const base32 = new ScureBase32Plugin()

/** TOTP by otplib, which compares codes in constant time. */
export function otplibTotp(): Totp {
  return {
    stepOf(secret, code, now) {
      // Authenticators show a code in groups, and people type it as it is shown.
      const digits = code.replace(/\s/g, '')
      if (!/^[0-9]{6}$/.test(digits)) return undefined
      const epoch = Math.floor(msOf(now) / 1000)
      const result = verifySync({ secret, token: digits, epoch, epochTolerance: skew_s, guardrails })
      return result.valid ? Math.floor(epoch / step_s) + result.delta : undefined
    },
    normalised(secret) {
      const plain = secret.replace(/[\s=-]/g, '').toUpperCase()
      if (!/^[A-Z2-7]+$/.test(plain)) return undefined
      const bytes = decoded(plain)
      return bytes && bytes.length >= secret_bytes_min && bytes.length <= secret_bytes_max ? plain : undefined
    },
  }
}

/** Undefined for a length that no Base32 text can have. */
function decoded(secret: string): Uint8Array | undefined {
  try {
    return base32.decode(secret)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
