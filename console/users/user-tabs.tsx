import { useRecordContext } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { auditColumns } from '../audit/audit-list.tsx'
import { SubjectStreams } from '../history/subject-streams.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { tagOf, userPath, type User } from './user-list.tsx'

function useUserId(): string {
  return useRecordContext<User>()?.id ?? ''
}

export function Sessions() {
  const reading = useReading('listUserSessions', { path: { user_id: useUserId() } })
  return (
    <ReadingRows
      name="sessions"
      reading={reading}
      rowsIn={({ sessions }) => sessions}
      idOf={({ session_id_hash: id }) => id}
      columns={[
        { source: 'approx_last_used_at' },
        { source: 'created_at' },
        { source: 'client_ip' },
        { source: 'client_ip_reverse' },
        { source: 'client_location' },
        { source: 'client_os' },
        { source: 'client_platform' },
        { source: 'deleted_at' },
      ]}
    />
  )
}

export function Guilds() {
  const reading = useReading('listUserGuilds', { path: { user_id: useUserId() } })
  return (
    <ReadingRows
      name="guilds"
      reading={reading}
      rowsIn={({ guilds }) => guilds}
      idOf={({ id }) => id}
      columns={[
        { source: 'name', link: ({ id }) => `/guilds/${id}/show` },
        { source: 'member_count' },
        { source: 'owner_id', link: ({ owner_id: id }) => userPath({ id }) },
        { source: 'features' },
        { source: 'id' },
      ]}
    />
  )
}

export function Relationships() {
  const userId = useUserId()
  const reading = useReading('listUserRelationships', { path: { user_id: userId } })
  return (
    <ReadingRows
      name="relationships"
      reading={reading}
      rowsIn={(found) => [...found.friends, ...found.incoming_requests, ...found.outgoing_requests, ...found.blocked]}
      idOf={({ category, target_user_id: id }) => `${category} ${id}`}
      columns={[
        { source: 'category' },
        {
          source: 'target',
          render: ({ target, target_user_id: id }) => (target ? tagOf(target) : id),
          link: ({ target_user_id: id }) => userPath({ id }),
        },
        { source: 'nickname' },
        { source: 'since' },
        {
          source: 'acts',
          render: ({ target_user_id: id, category }) => (
            <ActButtons
              acts={[
                {
                  id: 'removeOneUserRelationship',
                  path: { user_id: userId, target_user_id: id },
                  fixed: { category },
                },
              ]}
            />
          ),
        },
      ]}
    />
  )
}

export function PrivateChannels() {
  const reading = useReading('listUserDirectMessageChannels', { path: { user_id: useUserId() } })
  return (
    <ReadingRows
      name="channels"
      reading={reading}
      rowsIn={({ channels }) => channels}
      idOf={({ channel_id: id }) => id}
      columns={[
        { source: 'channel_type' },
        { source: 'name' },
        { source: 'recipients', render: ({ recipients }) => recipients.map((one) => tagOf(one)).join(', ') },
        { source: 'is_open' },
        { source: 'channel_id' },
      ]}
    />
  )
}

export function Purchases() {
  const reading = useReading('listUserStorePurchases', { path: { user_id: useUserId() } })
  return (
    <ReadingRows
      name="purchases"
      reading={reading}
      rowsIn={({ purchases }) => purchases}
      idOf={({ id }) => id}
      columns={[
        { source: 'provider' },
        { source: 'product_id' },
        { source: 'state' },
        { source: 'entitled' },
        { source: 'purchased_at' },
        { source: 'expires_at' },
        { source: 'revoked_at' },
        { source: 'synced_at' },
        { source: 'id' },
      ]}
    />
  )
}

export function Applications() {
  const reading = useReading('listUserApplications', { path: { user_id: useUserId() } })
  return (
    <ReadingRows
      name="applications"
      reading={reading}
      rowsIn={({ applications }) => applications}
      idOf={({ id }) => id}
      columns={[
        { source: 'name' },
        {
          source: 'bot_username',
          link: ({ bot_user_id: id }) => (id ? userPath({ id }) : undefined),
        },
        { source: 'bot_is_public' },
        { source: 'oauth2_redirect_uris' },
        { source: 'bot_token_created_at' },
        { source: 'id' },
      ]}
    />
  )
}

export function Passkeys() {
  const userId = useUserId()
  const reading = useReading('listUserWebAuthnCredentials', { path: { user_id: userId } })
  return (
    <ReadingRows
      name="passkeys"
      reading={reading}
      rowsIn={(passkeys) => passkeys}
      idOf={({ id }) => id}
      columns={[
        { source: 'name' },
        { source: 'created_at' },
        { source: 'last_used_at' },
        {
          source: 'acts',
          render: ({ id }) => (
            <ActButtons acts={[{ id: 'deleteUserWebAuthnCredential', path: { user_id: userId, credential_id: id } }]} />
          ),
        },
      ]}
    />
  )
}

export function Changes() {
  const reading = useReading('listUserChangeLog', { path: { user_id: useUserId() }, query: { limit: 200 } })
  return (
    <ReadingRows
      name="changes"
      reading={reading}
      rowsIn={({ entries }) => entries}
      idOf={({ event_id: id }) => id}
      columns={[
        { source: 'event_at' },
        { source: 'field' },
        { source: 'old_value' },
        { source: 'new_value' },
        { source: 'reason' },
        {
          source: 'actor_user_id',
          link: ({ actor_user_id: id }) => (id ? userPath({ id }) : undefined),
        },
      ]}
    />
  )
}

export function Entries() {
  const reading = useReading('listAdminAuditLogEntries', {
    query: { target_type: 'user', target_id: useUserId(), limit: 200, sort_order: 'desc' },
  })
  return (
    <ReadingRows
      name="entries"
      reading={reading}
      rowsIn={({ logs }) => logs}
      idOf={({ log_id: id }) => id}
      columns={auditColumns}
    />
  )
}

export function Streams() {
  return <SubjectStreams subject={useUserId()} />
}
