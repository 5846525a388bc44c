import Typography from '@mui/material/Typography'
import { useRecordContext, useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { Facts } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { TabbedPage, type Tab } from '../parts/tabbed-page.tsx'
import { actsOnUser } from './acts-on-user.ts'
import { tagOf, type User } from './user-list.tsx'
import {
  Applications,
  Changes,
  Entries,
  Guilds,
  Passkeys,
  PrivateChannels,
  Purchases,
  Relationships,
  Sessions,
  Streams,
} from './user-tabs.tsx'

/** What a page of an account has beside the account, with the operation that each part needs. */
const tabs: readonly Tab[] = [
  { name: 'sessions', needs: 'listUserSessions', part: Sessions },
  { name: 'guilds', needs: 'listUserGuilds', part: Guilds },
  { name: 'relationships', needs: 'listUserRelationships', part: Relationships },
  { name: 'channels', needs: 'listUserDirectMessageChannels', part: PrivateChannels },
  { name: 'purchases', needs: 'listUserStorePurchases', part: Purchases },
  { name: 'applications', needs: 'listUserApplications', part: Applications },
  { name: 'passkeys', needs: 'listUserWebAuthnCredentials', part: Passkeys },
  { name: 'changes', needs: 'listUserChangeLog', part: Changes },
  { name: 'entries', needs: 'listAdminAuditLogEntries', part: Entries },
  { name: 'streams', needs: 'listHistorySubjectStreams', part: Streams },
]

/** One account: what the API knows of it, what was done to it, and what can be done. */
export function UserPage() {
  return <TabbedPage group="users" title={<UserTitle />} about={<About />} tabs={tabs} />
}

function UserTitle() {
  const user = useRecordContext<User>()
  return user ? <PlainText>{tagOf(user)}</PlainText> : null
}

function About() {
  const user = useRecordContext<User>()
  const translate = useTranslate()
  if (!user) return null
  return (
    <>
      {actsOnUser(user).map(({ group, acts }) => (
        <ActButtons key={group} acts={acts} label={translate(`console.users.${group}`)} />
      ))}
      <Typography component="h2" variant="h6" sx={{ marginTop: 2 }}>
        {translate('console.users.about')}
      </Typography>
      <Facts of={user} />
    </>
  )
}
