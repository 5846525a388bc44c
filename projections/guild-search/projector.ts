import type { DiscoveryApplicationEvent } from '../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../domain/discovery-application/listing.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import { add, patch, projection, put, remove, type Row, type RowChange } from '../runner/projection.ts'

/** `totals` has one row. */
export const totalsId = 1
const counted = (by: 1 | -1): RowChange => add('totals', { id: totalsId }, { guilds: by })

/** Guilds by parts of their names, custom codes, and of what they say in the directory, until they are deleted. */
export const guildSearchProjection = projection<GuildEvent | DiscoveryApplicationEvent>({
  name: 'guild_search',
  answers:
    'Which guilds have a part of a name, of a custom code, or of a description or tag of the directory, and how many guilds there are.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { guilds: ['id'], totals: ['id'] },
  on: {
    GuildCreated: ({ data }) => [
      put('guilds', {
        id: data.guildId,
        name: data.name.toLowerCase(),
        vanity_code: null,
        description: null,
        tags: null,
      }),
      counted(1),
    ],
    GuildModified: ({ data: { guildId, after } }) =>
      after.name === undefined ? [] : [changed(guildId, { name: after.name.toLowerCase() })],
    VanityCodeChanged: ({ data: { guildId, after } }) => [changed(guildId, { vanity_code: after?.code ?? null })],
    GuildDeleted: ({ data }) => [remove('guilds', { id: data.guildId }), counted(-1)],
    DiscoveryApplied: ({ data }) => listed(data.guildId, data.listing),
    DiscoveryApplicationEdited: ({ data }) => listed(data.guildId, data.after),
    DiscoveryApplicationWithdrawn: ({ data }) => [changed(data.guildId, notListed)],
    DiscoveryApplicationDropped: ({ data }) => [changed(data.guildId, notListed)],
  },
})

const notListed = { description: null, tags: null }

function changed(guildId: GuildId, columns: Row): RowChange {
  return patch('guilds', { id: guildId }, columns)
}

/** An edit of neither the description nor the tags changes no column. */
function listed(guildId: GuildId, { description, customTags }: Partial<DirectoryListing>): readonly RowChange[] {
  const columns = {
    ...(description === undefined ? {} : { description: description.toLowerCase() }),
    ...(customTags === undefined ? {} : { tags: customTags.join('\n').toLowerCase() }),
  }
  return Object.keys(columns).length === 0 ? [] : [changed(guildId, columns)]
}
