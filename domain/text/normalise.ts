import { inviteCode, type InviteCode } from '../ids/ids.ts'
import type { FieldCode } from '../kernel/field-codes.ts'
import { parsed, unparsed, type Parsed } from '../kernel/parsed.ts'

/**
 * The only code that normalises text from outside. Every pattern here takes linear time: no two repetitions can match the same
 * characters.
 */

/** The allowed length of a text in characters, both bounds included. */
export interface Length {
  readonly min: number
  readonly max: number
}

/** 1-256 characters. */
export const inviteCodeLength: Length = { min: 1, max: 256 }

/** Removes form feeds and right-to-left overrides, and trims. */
export function normalised(text: string): string {
  return text.replace(/[\f\u202e]/g, '').trim()
}

/** Normalised text as readers see it: nothing invisible, no half characters, and a single space for each run of whitespace. */
export function visible(text: string): string {
  const shown = normalised(text).replace(
    /[\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]|(?!\s)\p{Cc}/gu,
    '',
  )
  return shown.replace(/\s+/g, ' ').trim()
}

/**
 * What shows nothing without a letter to stand on: marks, and the format controls of hieroglyphs; and glyphs that are blank by
 * design, which have no property of their own: hieroglyphs, the null notehead, and the object replacement character.
 */
const blank = /[\p{Mn}\s\ufffc\u{13430}-\u{1343f}\u{13441}\u{13442}\u{1d159}]/gu

/** Whether readers see nothing of a name. */
export function isBlank(name: string): boolean {
  return visible(name).replace(blank, '') === ''
}

/** Whether Postgres can store a text: it has no NUL and no lone surrogate, either of which would fail a whole batch of rows. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/**
 * The length of a text in characters, which are Unicode code points, as in Postgres and the contract: it never splits an emoji.
 * Clients that count UTF-16 units stop their users earlier, never later.
 */
export function lengthOf(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ' ').length
}

export function hasLength(text: string, { min, max }: Length): boolean {
  const length = lengthOf(text)
  return length >= min && length <= max
}

/**
 * Normalised text of a bounded length. INVALID_FORMAT if it cannot be stored; STRING_LENGTH_INVALID, or the field's own code, if
 * it is too short or too long.
 */
export function parseText(
  text: string,
  length: Length,
  lengthCode: FieldCode = 'STRING_LENGTH_INVALID',
): Parsed<string> {
  const kept = normalised(text)
  if (!hasLength(kept, length)) return unparsed(lengthCode)
  return isStorable(kept) ? parsed(kept) : unparsed('INVALID_FORMAT')
}

/** A name with at least one visible character. STRING_LENGTH_INVALID otherwise. */
export function parseName(text: string, length: Length): Parsed<string> {
  const name = parseText(text, length)
  return name.ok && isBlank(name.value) ? unparsed('STRING_LENGTH_INVALID') : name
}

/** The code of an invite, which all operations parse in the same way. Case-sensitive. */
export function parseInviteCode(text: string): Parsed<InviteCode> {
  const code = parseText(text, inviteCodeLength)
  return code.ok ? parsed(inviteCode(code.value)) : code
}

/** In characters. */
export const randomCodeLength = 8

/** 2-32 characters. */
export const customCodeLength: Length = { min: 2, max: 32 }

/**
 * A guild's custom code: lower case, with one hyphen for each run of whitespace or hyphens.
 * VANITY_URL_INVALID_CHARACTERS, then VANITY_URL_CODE_LENGTH_INVALID.
 */
export function parseCustomCode(text: string): Parsed<InviteCode> {
  const code = text.toLowerCase().replace(/\s+/g, '-').replace(/-+/g, '-')
  if (!/^[a-z0-9-]+$/.test(code) || code.startsWith('-') || code.endsWith('-'))
    return unparsed('VANITY_URL_INVALID_CHARACTERS')
  return hasLength(code, customCodeLength) ? parsed(inviteCode(code)) : unparsed('VANITY_URL_CODE_LENGTH_INVALID')
}

/** The form in which a custom code is looked up: lower case. */
export function asCustomCode(code: InviteCode): InviteCode {
  return inviteCode(code.toLowerCase())
}
