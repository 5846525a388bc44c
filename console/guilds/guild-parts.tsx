import TextField from '@mui/material/TextField'
import { useRecordContext, useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'
import { ActButtons } from '../acts/act-buttons.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { useReading } from '../parts/use-reading.ts'
import { tagOf, userPath } from '../users/user-list.tsx'
import { actsOnBan, actsOnMember } from './acts-on-guild.ts'
import { guildPath, type Guild } from './guild-list.tsx'

const page = 200

function useGuildId(): string {
  return useRecordContext<Guild>()?.id ?? ''
}

/** The members, by the beginning of their names, or those who came by one invite; both stand in the address. */
export function Members() {
  const translate = useTranslate()
  const guildId = useGuildId()
  const [search, setSearch] = useSearchParams()
  const [q, invite] = [search.get('q') ?? undefined, search.get('invite') ?? undefined]
  const pages = usePages(
    'listAdminGuildMembers',
    { path: { guild_id: guildId }, query: { q, invite, limit: page } },
    ({ members }) => members,
    (_, rows) => (rows.length < page ? undefined : { after: rows.at(-1)?.user.id }),
  )
  const choose = (name: string, value: string): void => {
    const next = new URLSearchParams(search)
    if (value === '') next.delete(name)
    else next.set(name, value)
    setSearch(next, { replace: true })
  }
  return (
    <>
      {(['q', 'invite'] as const).map((name) => (
        <TextField
          key={name}
          size="small"
          label={translate(`console.guilds.members_${name}`)}
          defaultValue={search.get(name) ?? ''}
          onBlur={({ target }) => choose(name, target.value)}
          onKeyDown={({ key, target }) => key === 'Enter' && choose(name, (target as HTMLInputElement).value)}
          sx={{ marginInlineEnd: 2 }}
        />
      ))}
      <Rows
        name="members"
        {...pages}
        idOf={({ user }) => user.id}
        columns={[
          { source: 'user', render: ({ user }) => tagOf(user), link: ({ user }) => userPath(user) },
          { source: 'nick' },
          { source: 'joined_at' },
          { source: 'admitted_by' },
          { source: 'invite_code' },
          { source: 'inviter_id', link: ({ inviter_id: id }) => (id ? userPath({ id }) : undefined) },
          { source: 'communication_disabled_until' },
          { source: 'acts', render: ({ user }) => <ActButtons acts={actsOnMember(guildId, user.id)} /> },
        ]}
      />
    </>
  )
}

/** The channels in their order, with the overwrites of each. */
export function Channels() {
  const reading = useReading('listAdminGuildChannels', { path: { guild_id: useGuildId() } })
  return (
    <ReadingRows
      name="channels"
      reading={reading}
      rowsIn={({ channels }) => channels}
      idOf={({ id }) => id}
      columns={[
        { source: 'name' },
        { source: 'type' },
        { source: 'parent_id' },
        { source: 'topic' },
        { source: 'permission_overwrites' },
        { source: 'id' },
      ]}
    />
  )
}

/** The roles, from the highest down. */
export function Roles() {
  const reading = useReading('listAdminGuildRoles', { path: { guild_id: useGuildId() } })
  return (
    <ReadingRows
      name="roles"
      reading={reading}
      rowsIn={({ roles }) => roles}
      idOf={({ id }) => id}
      columns={[
        { source: 'name' },
        { source: 'position' },
        { source: 'permissions' },
        { source: 'hoist' },
        { source: 'mentionable' },
        { source: 'id' },
      ]}
    />
  )
}

/** The invites, each with the way to the members who came by it. */
export function Invites() {
  const translate = useTranslate()
  const guildId = useGuildId()
  const reading = useReading('listAdminGuildInvites', { path: { guild_id: guildId } })
  return (
    <ReadingRows
      name="invites"
      reading={reading}
      rowsIn={({ invites }) => invites}
      idOf={({ code }) => code}
      columns={[
        { source: 'code' },
        { source: 'channel_name' },
        {
          source: 'inviter',
          render: ({ inviter }) => (inviter ? tagOf(inviter) : '–'),
          link: ({ inviter }) => (inviter ? userPath(inviter) : undefined),
        },
        {
          source: 'uses',
          render: ({ uses }) => `${uses} · ${translate('console.guilds.members')}`,
          link: ({ code }) => `${guildPath({ id: guildId })}/members?invite=${code}`,
        },
        { source: 'max_uses' },
        { source: 'expires_at' },
        { source: 'created_at' },
      ]}
    />
  )
}

/** The bans. */
export function Bans() {
  const guildId = useGuildId()
  const pages = usePages(
    'listAdminGuildBans',
    { path: { guild_id: guildId }, query: { limit: page } },
    ({ bans }) => bans,
    (_, rows) => (rows.length < page ? undefined : { after: rows.at(-1)?.user.id }),
  )
  return (
    <Rows
      name="bans"
      {...pages}
      idOf={({ user }) => user.id}
      columns={[
        { source: 'user', render: ({ user }) => tagOf(user), link: ({ user }) => userPath(user) },
        {
          source: 'moderator',
          render: ({ moderator }) => (moderator ? tagOf(moderator) : '–'),
          link: ({ moderator }) => (moderator ? userPath(moderator) : undefined),
        },
        { source: 'reason' },
        { source: 'banned_at' },
        { source: 'expires_at' },
        { source: 'acts', render: ({ user }) => <ActButtons acts={actsOnBan(guildId, user.id)} /> },
      ]}
    />
  )
}
