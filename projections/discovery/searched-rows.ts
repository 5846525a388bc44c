import type { DirectoryListing } from '../../domain/discovery-application/listing.js'
import type { GuildId } from '../../domain/ids/ids.js'
import { searchWords, searchWordsOfName } from '../../domain/text/search-words.js'
import { patch, put, type Row, type RowChange } from '../runner/projection.js'

/** A guild that can be searched once it is listed. */
export function searchedGuild(guildId: GuildId, name: string): RowChange {
  return put('searched', { guild_id: guildId, name_words: searchWordsOfName(name) })
}

export function searchedName(guildId: GuildId, name: string): RowChange {
  return patch('searched', { guild_id: guildId }, { name_words: searchWordsOfName(name) })
}

/** Whether it is listed, and what its listing says, as far as that changes. */
export function searchedListing(
  guildId: GuildId,
  { description, categoryType, primaryLanguage, customTags }: Partial<DirectoryListing>,
  isListed?: boolean,
): RowChange {
  const columns: Row = {
    ...(isListed === undefined ? {} : { is_listed: isListed }),
    ...(description === undefined ? {} : { description_words: searchWords(description) }),
    ...(categoryType === undefined ? {} : { category_type: categoryType }),
    ...(primaryLanguage === undefined ? {} : { primary_language: primaryLanguage }),
    ...(customTags === undefined
      ? {}
      : { custom_tags: customTags, tag_words: searchWordsOfName(customTags.join('\n')) }),
  }
  return patch('searched', { guild_id: guildId }, columns)
}
