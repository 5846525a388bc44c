import { parsed, unparsed, type Parsed } from '../kernel/parsed.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import { hasLength, isBlank, normalised, visible, type Length } from '../text/normalise.ts'

/** The lengths of an account's names, and of its other registration data. */

export const usernameLength: Length = { min: 1, max: 32 }
export const globalNameLength: Length = { min: 1, max: 32 }
export const emailLength: Length = { min: 1, max: 254 }
const dateOfBirth_characters = 10
/** Nobody who lives was born before. */
const earliestBirth = '1900-01-01'
const discriminatorInput_max = 9999

/** The minimum age to register, in years. */
export const minimumAge_years = 13

/** Mentions of more than one account. */
const reservedNames: readonly string[] = ['everyone', 'here']
const systemMessage = 'system message'

/**
 * A username: 1-32 of [A-Za-z0-9_], in the case as given. USERNAME_LENGTH_INVALID, USERNAME_INVALID_CHARACTERS,
 * USERNAME_RESERVED_VALUE (everyone, here), or USERNAME_CANNOT_CONTAIN_RESERVED_TERMS (the service's own name).
 */
export function parseUsername(text: string, serviceName: string): Parsed<string> {
  const username = normalised(text)
  if (!hasLength(username, usernameLength)) return unparsed('USERNAME_LENGTH_INVALID')
  if (!/^[A-Za-z0-9_]+$/.test(username)) return unparsed('USERNAME_INVALID_CHARACTERS')
  const lowercase = username.toLowerCase()
  if (reservedNames.includes(lowercase)) return unparsed('USERNAME_RESERVED_VALUE')
  const terms = [serviceName.toLowerCase(), systemMessage]
  if (terms.some((term) => lowercase.includes(term))) return unparsed('USERNAME_CANNOT_CONTAIN_RESERVED_TERMS')
  return parsed(username)
}

/**
 * A display name: 1-32 characters after removing invisible ones and collapsing whitespace, not all of them blank.
 * GLOBAL_NAME_LENGTH_INVALID, GLOBAL_NAME_RESERVED_VALUE, or GLOBAL_NAME_CANNOT_CONTAIN_RESERVED_TERMS, also in full-width and other equivalent characters.
 */
export function parseGlobalName(text: string): Parsed<string> {
  const name = visible(text)
  if (!hasLength(name, globalNameLength) || isBlank(name)) return unparsed('GLOBAL_NAME_LENGTH_INVALID')
  const plain = name.normalize('NFKC').toLowerCase()
  if (reservedNames.includes(plain)) return unparsed('GLOBAL_NAME_RESERVED_VALUE')
  if (plain.includes(systemMessage)) return unparsed('GLOBAL_NAME_CANNOT_CONTAIN_RESERVED_TERMS')
  return parsed(name)
}

/**
 * An e-mail address in lower case, since mailboxes that differ by case alone are the same: 1-254 characters, a local part of
 * ASCII letters, digits and some signs, and a domain of at least two labels. EMAIL_LENGTH_INVALID, INVALID_EMAIL_FORMAT, or
 * INVALID_EMAIL_LOCAL_PART.
 */
export function parseEmail(text: string): Parsed<string> {
  const email = normalised(text)
  if (!hasLength(email, emailLength)) return unparsed('EMAIL_LENGTH_INVALID')
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  if (local === '' || !isDomain(email.slice(at + 1))) return unparsed('INVALID_EMAIL_FORMAT')
  if (!/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local)) return unparsed('INVALID_EMAIL_LOCAL_PART')
  if (local.split('.').includes('')) return unparsed('INVALID_EMAIL_FORMAT')
  return parsed(email.toLowerCase())
}

/** Only host names, internationalised ones in ASCII form; no IP addresses. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const areLabels = labels.every((label) => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))
  return labels.length > 1 && areLabels && !/\.[0-9]+$/.test(domain)
}

/**
 * A discriminator as 1-4 digits or a number: DISCRIMINATOR_INVALID_FORMAT, or DISCRIMINATOR_OUT_OF_RANGE outside 0-9999.
 */
export function parseDiscriminator(given: string | number): Parsed<number> {
  if (typeof given === 'string') {
    const digits = normalised(given)
    return /^[0-9]{1,4}$/.test(digits) ? parsed(Number(digits)) : unparsed('DISCRIMINATOR_INVALID_FORMAT')
  }
  if (!Number.isInteger(given)) return unparsed('DISCRIMINATOR_INVALID_FORMAT')
  return given >= 0 && given <= discriminatorInput_max ? parsed(given) : unparsed('DISCRIMINATOR_OUT_OF_RANGE')
}

/**
 * A calendar day as YYYY-MM-DD. STRING_LENGTH_EXACT unless it has ten characters, INVALID_FORMAT for another shape,
 * INVALID_DATE_OF_BIRTH_FORMAT if it is blank, there is no such day, or nobody who lives was born on it. Whether it has come is
 * checked elsewhere (`isBorn`).
 */
export function parseDateOfBirth(text: string): Parsed<string> {
  const date = normalised(text)
  if (date === '') return unparsed('INVALID_DATE_OF_BIRTH_FORMAT')
  if (date.length !== dateOfBirth_characters) return unparsed('STRING_LENGTH_EXACT')
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) return unparsed('INVALID_FORMAT')
  return isDay(date) && date >= earliestBirth ? parsed(date) : unparsed('INVALID_DATE_OF_BIRTH_FORMAT')
}

/** A day that does not exist in its month parses as no date, or as one of the next month. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00.000Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
}

/** Whether a day of birth (YYYY-MM-DD) has come by an instant, in UTC. */
export function isBorn(dateOfBirth: string, now: Timestamp): boolean {
  return hasTurned(0, dateOfBirth, now)
}

/** Whether somebody born on a day (YYYY-MM-DD) is old enough to register at an instant. */
export function hasMinimumAge(dateOfBirth: string, now: Timestamp): boolean {
  return hasTurned(minimumAge_years, dateOfBirth, now)
}

/**
 * Whether somebody born on a day (YYYY-MM-DD) has reached an age in years by an instant, in UTC. A birthday on 29 February counts
 * as 1 March.
 */
export function hasTurned(years: number, dateOfBirth: string, now: Timestamp): boolean {
  const year = Number(now.slice(0, 4)) - years
  const bornBy = `${year.toString().padStart(4, '0')}${now.slice(4, dateOfBirth_characters)}`
  return dateOfBirth <= bornBy
}
