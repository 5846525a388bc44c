import Typography from '@mui/material/Typography'
import { Show, TabbedShowLayout, TabbedShowLayoutTabs, useRecordContext, useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import type { OperationId } from '../api/operations.ts'
import { Facts } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { useAcls } from '../parts/use-acls.ts'
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
const tabs: readonly { readonly name: string; readonly needs: OperationId; readonly part: () => React.ReactNode }[] = [
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
  const { may } = useAcls()
  return (
    <Show title={<UserTitle />} actions={false}>
      <TabbedShowLayout tabs={<TabbedShowLayoutTabs variant="scrollable" allowScrollButtonsMobile />}>
        <TabbedShowLayout.Tab label="console.users.about">
          <About />
        </TabbedShowLayout.Tab>
        {tabs
          .filter(({ needs }) => may(needs))
          .map(({ name, part: Part }) => (
            <TabbedShowLayout.Tab key={name} label={`console.users.${name}`} path={name}>
              <Part />
            </TabbedShowLayout.Tab>
          ))}
      </TabbedShowLayout>
    </Show>
  )
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
