import { TextInput } from 'react-admin'
import type { ReplyOf } from '../api/call.ts'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { userPath } from '../users/user-list.tsx'

/** A guild as its page has it. */
export type Guild = NonNullable<ReplyOf<'getAdminGuild'>['guild']>
type ListedGuild = ReplyOf<'listAdminGuilds'>['guilds'][number]

const filters = [<TextInput key="q" source="q" alwaysOn label="console.guilds.any" resettable />]

const columns: readonly Column<ListedGuild>[] = [
  { source: 'name', link: guildPath },
  { source: 'member_count' },
  { source: 'owner_username', link: ({ owner_id: id }) => userPath({ id }) },
  { source: 'features' },
  { source: 'id' },
]

/** All guilds, and the search for one. */
export function GuildList() {
  return (
    <ResourceList filters={filters} perPage={50} title="console.views.guilds">
      <Table columns={columns} rowClick="show" />
    </ResourceList>
  )
}

/** The address of a guild's page. */
export function guildPath({ id }: { readonly id: string }): string {
  return `/guilds/${id}/show`
}
