import type { DirectoryListing } from '../../domain/discovery-application/listing.js'
import type { GuildId } from '../../domain/ids/ids.js'
import { searchWords, searchWordsOfName } from '../../domain/text/search-words.js'
import type { RecordedEvent } from '../../application/ports/event-store.js'
import { patch, put, remove, type Row, type RowChange } from '../runner/projection.js'
import { hashedWords } from './word-hashes.js'

type At = Pick<RecordedEvent, 'position'>

/** A guild that can be searched once it is listed. */
export function searchedGuild(guildId: GuildId, name: string): RowChange {
  return put('searched', { guild_id: guildId, name_words: hashedWords(searchWordsOfName(name)) })
}

export function searchedName(event: At, guildId: GuildId, name: string): readonly RowChange[] {
  return [
    patch('searched', { guild_id: guildId }, { name_words: hashedWords(searchWordsOfName(name)) }),
    searchChanged(event, guildId),
  ]
}

/** Whether it is listed, and what its listing says, as far as that changes. */
export function searchedListing(
  { position }: At,
  guildId: GuildId,
  { description, categoryType, primaryLanguage, customTags }: Partial<DirectoryListing>,
  isListed?: boolean,
): readonly RowChange[] {
  const columns: Row = {
    ...(isListed === undefined ? {} : { is_listed: isListed }),
    ...(description === undefined ? {} : { description_words: hashedWords(searchWords(description)) }),
    ...(categoryType === undefined ? {} : { category_type: categoryType }),
    ...(primaryLanguage === undefined ? {} : { primary_language: primaryLanguage }),
    ...(customTags === undefined
      ? {}
      : { tags: hashedWords(customTags), tag_words: hashedWords(searchWordsOfName(customTags.join('\n'))) }),
  }
  return [
    patch('searched', { guild_id: guildId }, columns),
    put('search_changes', { guild_id: guildId, position: position.toString() }),
  ]
}

/** Nothing is found by it any more. */
export function searchedNoMore(event: At, guildId: GuildId): readonly RowChange[] {
  return [remove('searched', { guild_id: guildId }), searchChanged(event, guildId)]
}

/** Its members or its name changed: of interest only if it ever applied. */
export function searchChanged({ position }: At, guildId: GuildId): RowChange {
  return patch('search_changes', { guild_id: guildId }, { position: position.toString() })
}
