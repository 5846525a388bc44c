import { DataTable, List, TextInput, type RaRecord } from 'react-admin'
import type { ReplyOf } from '../api/call.ts'
import { Moment } from '../parts/moment.tsx'
import { PlainText } from '../parts/plain-text.tsx'

const Column = DataTable.Col<User & RaRecord>
type User = ReplyOf<'listUsers'>['users'][number]

/** The selectors of List users. The API takes one of them at a time. */
const filters = [
  <TextInput key="q" source="q" alwaysOn label="console.users.any" resettable />,
  <TextInput key="resolve" source="resolve" label="console.members.resolve" />,
  <TextInput key="email" source="email" label="console.members.email" />,
  <TextInput key="last_active_ip" source="last_active_ip" label="console.members.last_active_ip" />,
]

export function UserList() {
  return (
    <List filters={filters} perPage={50} sort={{ field: 'id', order: 'ASC' }} title="console.views.users" empty={false}>
      <DataTable bulkActionButtons={false} rowClick="show" sx={{ overflowX: 'auto' }}>
        <Column source="id" disableSort />
        <Column source="username" disableSort render={(user) => <PlainText>{tagOf(user)}</PlainText>} />
        <Column source="global_name" disableSort render={(user) => <PlainText>{user.global_name}</PlainText>} />
        <Column source="email" disableSort render={(user) => <PlainText>{user.email}</PlainText>} />
        <Column source="last_active_at" disableSort render={(user) => <Moment at={user.last_active_at} />} />
        <Column source="temp_banned_until" disableSort render={(user) => <Moment at={user.temp_banned_until} />} />
        <Column source="pending_deletion_at" disableSort render={(user) => <Moment at={user.pending_deletion_at} />} />
      </DataTable>
    </List>
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
