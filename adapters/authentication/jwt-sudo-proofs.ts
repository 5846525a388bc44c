import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SudoProofs } from '../../application/ports/sudo-proofs.ts'
import { derivedKey } from '../../application/secrets/keys.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'

/** How long a proof is valid. Using it does not extend it. */
export const sudoProof_s = 300

const algorithm = 'HS256'
const type = 'sudo+jwt'
const audience = 'guildhall:sudo'

const claims = z.object({ sub: z.string(), sid: z.string(), ver: z.int() })

/**
 * Sudo proofs as JSON web tokens, signed with a key that is derived from the server's secret for this purpose alone.
 * Only one algorithm, one type and one audience are accepted, so no other token, ours or foreign, passes as a proof.
 */
export function jwtSudoProofs(secret: Uint8Array): SudoProofs {
  const key = derivedKey(secret, 'sudo proofs')
  return {
    issue({ accountId: subject, tokenHash, credentialVersion }, now) {
      const issuedAt = Math.floor(msOf(now) / 1000)
      return new SignJWT({ sid: tokenHash, ver: credentialVersion })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + sudoProof_s)
        .sign(key)
    },
    async read(text, now) {
      try {
        const options = { algorithms: [algorithm], typ: type, audience, currentDate: new Date(msOf(now)) }
        const { payload } = await jwtVerify(text, key, { ...options, requiredClaims: ['exp', 'iat', 'sub'] })
        const { sub, sid, ver } = claims.parse(payload)
        const subject = parseSnowflake(sub)
        return subject.ok ? { accountId: accountId(subject.id), tokenHash: sid, credentialVersion: ver } : undefined
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined
        throw error
      }
    },
  }
}
