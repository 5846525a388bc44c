import type { CommandContext } from '../../commands/command-context.js'
import { secretHash } from '../../secrets/secret-hash.js'

const family_bytes = 16
const random_bytes = 16

/**
 * An authorisation code and every refresh token that comes of it begin with the same 16 bytes: their family. So what was given
 * for a code or token is found when it comes a second time, however often it was refreshed since, and nothing has to be
 * remembered of those that served. RFC 6749, 4.1.2; RFC 9700, 4.14.2.
 */
const familyOf = (codeOrToken: string): Buffer => Buffer.from(codeOrToken, 'base64url').subarray(0, family_bytes)

/** base64url SHA-256 of a family, which is all that is stored of it. */
export function familyHash(codeOrToken: string): string {
  return secretHash(familyOf(codeOrToken).toString('base64url'))
}

/** A new refresh token, 43 characters of base64url: the family of what it is given for, and 128 random bits of its own. */
export function nextRefreshToken(context: CommandContext, codeOrToken: string): string {
  return Buffer.concat([familyOf(codeOrToken), context.randomBytes(random_bytes)]).toString('base64url')
}
