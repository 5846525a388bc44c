import { parsed } from '../../../../domain/kernel/parsed.ts'
import { normalised, parseText } from '../../../../domain/text/normalise.ts'
import { readBy } from '../scalars.ts'

const searchedLength = { min: 1, max: 1024 }

/** The text of a search, trimmed. A blank text searches for nothing in particular. One without any character is refused. */
export const searchedText = readBy(
  (text) => (text !== '' && normalised(text) === '' ? parsed('') : parseText(text, searchedLength)),
  searchedLength,
)
