import Stack from '@mui/material/Stack'
import { useTranslate } from 'react-admin'
import type { ReplyOf } from '../api/call.ts'
import { ChoiceFilter, TextFilter, useAddressFilter } from '../parts/address-filters.tsx'
import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { userPath } from '../users/user-list.tsx'

type Mail = ReplyOf<'listMails'>['mails'][number]

const page = 100
const states = ['waiting', 'kept', 'parked'] as const satisfies readonly Mail['state'][]

/** The mails that were not sent, by state and account, which stand in the address. */
export function Mails() {
  const translate = useTranslate()
  const stateText = (state: string): string => translate(`console.instance.mail_${state}`)
  return (
    <>
      <p>{translate('console.instance.mails_help')}</p>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <ChoiceFilter name="state" label={translate('console.members.state')} choices={states} of={stateText} />
        <TextFilter name="account" label={translate('console.members.user_id')} />
      </Stack>
      <Found stateText={stateText} />
    </>
  )
}

function Found({ stateText }: { readonly stateText: (state: string) => string }) {
  const [chosen] = useAddressFilter('state')
  const [account] = useAddressFilter('account')
  const state = states.find((one) => one === chosen)
  const pages = usePages(
    'listMails',
    { query: { state, user_id: account === '' ? undefined : account, limit: page } },
    ({ mails }) => mails,
    ({ next_after: after }) => (after === null ? undefined : { after }),
  )
  return (
    <Rows
      name="mails"
      {...pages}
      idOf={({ id }) => id}
      columns={[
        { source: 'created_at' },
        { source: 'template', render: ({ template }) => template?.replaceAll('_', ' ') ?? '–' },
        { source: 'user_id', link: ({ user_id: id }) => (id === null ? undefined : userPath({ id })) },
        { source: 'email' },
        { source: 'state', render: (mail) => stateText(mail.state) },
        { source: 'tries' },
        { source: 'next_try_at' },
        { source: 'failure' },
        { source: 'id' },
      ]}
    />
  )
}
