import { createHash } from 'node:crypto'
import type { CommandContext } from '../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../commands/random-text.ts'

const codeLength = 32

/** The code of a registration URL: 32 of [A-Za-z0-9], too many to guess. */
export function newRegistrationCode(context: CommandContext): string {
  return randomText(context, alphanumeric, codeLength)
}

/** base64url SHA-256 of a code. Only this hash is stored. */
export function registrationCodeHash(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}
