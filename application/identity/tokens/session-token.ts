import { hash } from 'node:crypto'
import type { CommandContext } from '../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../commands/random-text.ts'

const prefix = 'gld_'
const randomLength = 36

/** A new session token: `gld_` and 36 of [A-Za-z0-9], some 214 random bits. */
export function newSessionToken(context: CommandContext): string {
  return prefix + randomText(context, alphanumeric, randomLength)
}

/** base64url SHA-256 of a token: the only stored part of it, and the public id of its session. */
export function sessionTokenHash(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** Whether a text has the prefix of session tokens. */
export function looksLikeSessionToken(text: string): boolean {
  return text.startsWith(prefix)
}
