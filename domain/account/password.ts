import { unparsed, type Parsed } from '../kernel/parsed.ts'
import { hasLength, normalised, parseText, type Length } from '../text/normalise.ts'

/** The length of a password in characters of its prepared form. */
export const passwordLength: Length = { min: 8, max: 256 }
/**
 * No longer text has a prepared form of 256 characters: a character of it stands for at most four typed ones. Preparing a text
 * with many marks takes more than linear time, so longer texts are refused before.
 */
const typedPassword_charactersMax = 4 * passwordLength.max

/**
 * The form in which passwords are measured, hashed and compared, so that it does not matter how a keyboard composes a letter:
 * NFKC, trimmed (RFC 8265; NIST SP 800-63B, 5.1.1.2). The prepared form of a prepared form is itself.
 */
export function preparedPassword(text: string): string {
  return normalised(text).normalize('NFKC').trim()
}

/**
 * A new password, trimmed, otherwise as typed: its prepared form has 8-256 characters. PASSWORD_LENGTH_INVALID, or INVALID_FORMAT
 * if it cannot be stored. Common passwords are checked elsewhere.
 */
export function parseNewPassword(text: string): Parsed<string> {
  const typed = parseText(text, { min: 0, max: typedPassword_charactersMax }, 'PASSWORD_LENGTH_INVALID')
  if (!typed.ok || hasLength(preparedPassword(typed.value), passwordLength)) return typed
  return unparsed('PASSWORD_LENGTH_INVALID')
}

/**
 * A password that an account may have, trimmed, otherwise as typed. Besides what a new one may be, it may have 8-256 characters as
 * typed, which was the rule before passwords were prepared.
 */
export function parsePresentPassword(text: string): Parsed<string> {
  const typed = parseText(text, passwordLength, 'PASSWORD_LENGTH_INVALID')
  return typed.ok ? typed : parseNewPassword(text)
}
