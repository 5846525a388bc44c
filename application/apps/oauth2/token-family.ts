import type { CommandContext } from '../../commands/command-context.ts'
import { secretHash } from '../../secrets/secret-hash.ts'

const family_bytes = 16
const random_bytes = 16

/**
 * An authorisation code and every refresh token that comes from it begin with the same 16 bytes: their family. So when a code or
 * token is used a second time, everything issued from it is found, however often it was refreshed since. Used ones need not be
 * remembered. RFC 6749, 4.1.2; RFC 9700, 4.14.2.
 */
const familyOf = (codeOrToken: string): Buffer => Buffer.from(codeOrToken, 'base64url').subarray(0, family_bytes)

/** base64url SHA-256 of a family. Only this hash is stored. */
export function familyHash(codeOrToken: string): string {
  return secretHash(familyOf(codeOrToken).toString('base64url'))
}

/** A new refresh token, 43 characters of base64url: the family of the code or token it replaces, and 128 new random bits. */
export function nextRefreshToken(context: CommandContext, codeOrToken: string): string {
  return Buffer.concat([familyOf(codeOrToken), context.randomBytes(random_bytes)]).toString('base64url')
}
