import Button from '@mui/material/Button'
import { Link, useTranslate } from 'react-admin'
import { Age } from '../parts/age.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { userPath } from '../users/user-list.tsx'
import type { Listing, QueuedApplication } from './directory-data.ts'
import { ActButtons } from '../acts/act-buttons.tsx'

/** How the queue is shown to whoever has not chosen otherwise. */
export const usualQueue = { sort: 'applied_at', order: 'ASC', perPage: 25, filter: {} } as const

const waiting: readonly Column<QueuedApplication>[] = [
  { source: 'guild_name', link: ({ guild_id: id }) => applicationPath(id) },
  { source: 'applied_at', render: ({ applied_at: at }) => <Age at={at} /> },
  { source: 'description' },
  { source: 'guild_member_count' },
  { source: 'guild_owner_username', link: ({ guild_owner_id: id }) => userPath({ id }) },
  { source: 'claim.claimed_by' },
  { source: 'guild_id' },
]

const listed: readonly Column<Listing>[] = [
  { source: 'guild_name', link: ({ guild_id: id }) => `/guilds/${id}/show` },
  { source: 'category_type' },
  { source: 'description' },
  { source: 'custom_tags' },
  { source: 'guild_member_count' },
  { source: 'approved_at' },
  { source: 'acts', render: (listing) => <ActButtons acts={actsOnListing(listing)} /> },
]

/** The applications to the directory that wait, the oldest first. */
export function QueueList() {
  const translate = useTranslate()
  return (
    <>
      <Button component={Link} to="/directory/listings">
        {translate('console.directory.listings')}
      </Button>
      <ResourceList
        title="console.views.directory"
        perPage={usualQueue.perPage}
        sort={{ field: usualQueue.sort, order: usualQueue.order }}
      >
        <Table columns={waiting} rowClick="show" />
      </ResourceList>
    </>
  )
}

/** The guilds in the directory, each with what can be done about its listing. */
export function Listings() {
  return (
    <ResourceList resource="listings" title="console.directory.listings" perPage={25} disableSyncWithLocation>
      <Table columns={listed} rowClick={false} />
    </ResourceList>
  )
}

/** The address of the page of an application, by its guild. */
export function applicationPath(guildId: string): string {
  return `/directory/${guildId}/show`
}

function actsOnListing({ guild_id: id, description, category_type: category, custom_tags: tags, ...rest }: Listing) {
  const path = { guild_id: id }
  const values = { description, category_type: category, custom_tags: tags, primary_language: rest.primary_language }
  return [
    { id: 'updateDiscoveryListing', path, values: { body: values } } as const,
    { id: 'removeDiscoveryListing', path } as const,
  ]
}
