import Typography from '@mui/material/Typography'
import { useRecordContext, useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { Facts } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { TabbedPage, type Tab } from '../parts/tabbed-page.tsx'
import { actsOnGuild } from './acts-on-guild.ts'
import { Changes } from './guild-changes.tsx'
import type { Guild } from './guild-list.tsx'
import { Moment } from './guild-moment.tsx'
import { Bans, Channels, Invites, Members, Roles } from './guild-parts.tsx'
import { Entries, Reports, Streams } from './guild-tabs.tsx'

const tabs: readonly Tab[] = [
  { name: 'members', needs: 'listAdminGuildMembers', part: Members },
  { name: 'channels', needs: 'listAdminGuildChannels', part: Channels },
  { name: 'roles', needs: 'listAdminGuildRoles', part: Roles },
  { name: 'invites', needs: 'listAdminGuildInvites', part: Invites },
  { name: 'bans', needs: 'listAdminGuildBans', part: Bans },
  { name: 'reports', needs: 'listReports', part: Reports },
  { name: 'moment', needs: 'getHistoryGuild', part: Moment },
  { name: 'changes', needs: 'listHistoryGuildChanges', part: Changes },
  { name: 'entries', needs: 'listHistoryGuildAuditLogEntries', part: Entries },
  { name: 'streams', needs: 'listHistorySubjectStreams', part: Streams },
]

/** One guild: what it is, who and what is in it, what was done to it, and what can be done. */
export function GuildPage() {
  return <TabbedPage group="guilds" title={<GuildTitle />} about={<About />} tabs={tabs} />
}

function GuildTitle() {
  const guild = useRecordContext<Guild>()
  return guild ? <PlainText>{guild.name}</PlainText> : null
}

function About() {
  const guild = useRecordContext<Guild>()
  const translate = useTranslate()
  if (!guild) return null
  return (
    <>
      <ActButtons acts={actsOnGuild(guild)} label={translate('console.guilds.acts')} />
      <Typography component="h2" variant="h6" sx={{ marginTop: 2 }}>
        {translate('console.guilds.about')}
      </Typography>
      <Facts of={guild} />
    </>
  )
}
