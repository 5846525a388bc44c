import { describe, it } from 'vitest'
import { newListing } from '../../adapters/http/schemas/communities/discovery.ts'
import { profileImageInput } from '../../adapters/http/schemas/images.ts'
import { tagMeant } from '../../application/identity/accounts/tag-text.ts'
import {
  parseDateOfBirth,
  parseDiscriminator,
  parseEmail,
  parseGlobalName,
  parseUsername,
} from '../../domain/account/names.ts'
import { parseNewPassword, parsePresentPassword } from '../../domain/account/password.ts'
import { parseTag } from '../../domain/discovery-application/tags.ts'
import { textChannelName } from '../../domain/guild/channel-names.ts'
import { normalised, parseCustomCode, parseInviteCode, visible } from '../../domain/text/normalise.ts'
import { foldedWord } from '../../domain/text/folded-word.ts'
import { searchWords, searchWordsOfName, wantedWords } from '../../domain/text/search-words.ts'
import { expectLinear } from '../support/growth.ts'

/**
 * Texts that make a pattern backtrack over and over. The content filter has its own test:
 * test/application/content-rules/content-filter.test.ts.
 */

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['a custom invite code', parseCustomCode],
  ['an invite code', parseInviteCode],
  ['a username', (text) => parseUsername(text, 'guildhall')],
  ['a tag', tagMeant],
  ['a display name', parseGlobalName],
  ['an e-mail address', parseEmail],
  ['a new password', parseNewPassword],
  ['a password', parsePresentPassword],
  ['a date of birth', parseDateOfBirth],
  ['a discriminator', parseDiscriminator],
  ['the name of a guild', normalised],
  ['what is visible of a text', visible],
  ['the name of a channel', textChannelName],
  ['a tag of the directory', parseTag],
  ['the words of a description', searchWords],
  ['the words of a name', searchWordsOfName],
  ['the words of a search', wantedWords],
  ['a folded word', foldedWord],
  ['the body of Apply for discovery', (text) => newListing.safeParse({ description: text, custom_tags: [text, text] })],
  ['an image', (text) => profileImageInput.safeParse(text)],
]

const made: readonly string[] = [
  'a'.repeat(100_000),
  `${'a-'.repeat(50_000)}!`,
  `${'-'.repeat(100_000)}a`,
  ' '.repeat(100_000),
  `${'a '.repeat(50_000)}\u0000`,
  `${' '.repeat(99_999)}a`,
  `${'a.'.repeat(50_000)}@`,
  `${'a@'.repeat(50_000)}`,
  `a@${'a.'.repeat(49_000)}`,
  '#'.repeat(100_000),
  '0'.repeat(100_000),
  '1-'.repeat(50_000),
  '='.repeat(100_000),
  `data:${','.repeat(100_000)}`,
  `${'A'.repeat(99_999)}!`,
  '\u202e'.repeat(100_000),
  'a\u0301\u0327'.repeat(33_000),
  '\u200d😀'.repeat(33_000),
]

describe('reading', () => {
  it.each(readers)('%s takes time in proportion to the length of the text', (_, read) => {
    for (const long of made) expectLinear(read, long)
  })
})
