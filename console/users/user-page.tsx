import { Show, TabbedShowLayout, useRecordContext, useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import type { Act } from '../acts/act-dialog.tsx'
import type { ReplyOf } from '../api/call.ts'
import { Facts } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { tagOf } from './user-list.tsx'

type User = ReplyOf<'listUsers'>['users'][number]

/** One account: what the API knows of it, what was done to it, and what can be done. */
export function UserPage() {
  return (
    <Show title={<UserTitle />} actions={false}>
      <TabbedShowLayout>
        <TabbedShowLayout.Tab label="console.users.about">
          <About />
        </TabbedShowLayout.Tab>
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
      <ActButtons acts={actsOn(user)} label={translate('console.users.acts')} />
      <Facts of={user} />
    </>
  )
}

function actsOn({ id, ...user }: User): readonly Act[] {
  const path = { user_id: id }
  return [
    user.temp_banned_until === null ? { id: 'banUser', path } : { id: 'liftBan', path },
    user.pending_deletion_at === null ? { id: 'scheduleUserDeletion', path } : { id: 'cancelUserDeletion', path },
  ]
}
