import { parsed, unparsed, type Parsed } from '../kernel/parsed.ts'
import { hasLength, isBlank } from '../text/normalise.ts'
import { tagLength } from './listing.ts'

/**
 * A tag as it is stored: trimmed, in lower case, with single spaces. Composed (NFC), so that the same letters are one
 * tag, whichever keyboard wrote them (rules/directory#tags).
 */
export function normalisedTag(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/gu, ' ').normalize('NFC')
}

/** Some letters and marks show nothing, such as the filler of Hangul: with them a tag would look like another one, or empty. */
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** Letters include the marks that some scripts write vowels with. */
const tagPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} \-_+&]*$/u

/**
 * The normalised tag. STRING_LENGTH_INVALID outside 2 to 30 characters, as sent or normalised; INVALID_FORMAT for other
 * characters than visible letters and digits, space, `-`, `_`, `+`, `&`, and for a tag that does not begin with a letter or digit.
 */
export function parseTag(text: string): Parsed<string> {
  const tag = normalisedTag(text)
  if (!hasLength(text, tagLength) || !hasLength(tag, tagLength)) return unparsed('STRING_LENGTH_INVALID')
  return tagPattern.test(tag) && !invisible.test(tag) && !isBlank(tag) ? parsed(tag) : unparsed('INVALID_FORMAT')
}
