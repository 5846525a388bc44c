import { TextInput } from 'react-admin'
import type { ReplyOf } from '../api/call.ts'
import { PlainText } from '../parts/plain-text.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'

export type User = ReplyOf<'listUsers'>['users'][number]

/** The selectors of List users. The API takes one of them at a time. */
const filters = [
  <TextInput key="q" source="q" alwaysOn label="console.users.any" resettable />,
  <TextInput key="resolve" source="resolve" label="console.members.resolve" />,
  <TextInput key="email" source="email" label="console.members.email" />,
  <TextInput key="last_active_ip" source="last_active_ip" label="console.members.last_active_ip" />,
]

const columns: readonly Column<User>[] = [
  { source: 'username', render: (user) => <PlainText>{tagOf(user)}</PlainText>, link: userPath },
  { source: 'global_name' },
  { source: 'email' },
  { source: 'last_active_at' },
  { source: 'temp_banned_until' },
  { source: 'pending_deletion_at' },
  { source: 'id' },
]

/** All accounts, and the search for one. */
export function UserList() {
  return (
    <ResourceList filters={filters} perPage={50} title="console.views.users">
      <Table columns={columns} rowClick="show" />
    </ResourceList>
  )
}

/** A username with its discriminator, as people write it. */
export function tagOf({
  username,
  discriminator,
}: {
  readonly username: string
  readonly discriminator: number | string
}): string {
  return `${username}#${String(discriminator).padStart(4, '0')}`
}

/** The address of an account's page. */
export function userPath({ id }: { readonly id: string }): string {
  return `/users/${id}/show`
}
