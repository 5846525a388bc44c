import Stack from '@mui/material/Stack'
import { useTranslate } from 'react-admin'
import { operationOf } from '../api/operations.ts'
import type { Input } from '../api/call.ts'
import { ChoiceFilter, TextFilter, useAddressFilter } from '../parts/address-filters.tsx'
import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { userPath } from '../users/user-list.tsx'

type Query = NonNullable<Input<'listPurchases'>['query']>

const page = 100
const { choices } = operationOf('listPurchases')
const words = (name: string): string => name.replaceAll('_', ' ')

/** What was bought in the stores, by account, store, state and time, which stand in the address. */
export function Purchases() {
  const translate = useTranslate()
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <ChoiceFilter
          name="provider"
          label={translate('console.members.provider')}
          choices={choices?.['provider'] ?? []}
          of={words}
        />
        <ChoiceFilter
          name="state"
          label={translate('console.members.state')}
          choices={choices?.['state'] ?? []}
          of={words}
        />
        <TextFilter name="account" label={translate('console.members.user_id')} />
        <TextFilter name="since" label={translate('console.instance.seen_since')} help="2030-01-31T12:00Z" />
        <TextFilter name="until" label={translate('console.instance.seen_until')} help="2030-01-31T12:00Z" />
      </Stack>
      <Found />
    </>
  )
}

function Found() {
  const given = (value: string): string | undefined => (value === '' ? undefined : value)
  const [provider] = useAddressFilter('provider')
  const [state] = useAddressFilter('state')
  const [account] = useAddressFilter('account')
  const [since] = useAddressFilter('since')
  const [until] = useAddressFilter('until')
  const query = {
    provider: given(provider),
    state: given(state),
    user_id: given(account),
    since: given(since),
    until: given(until),
    limit: page,
  } as Query
  const pages = usePages(
    'listPurchases',
    { query },
    ({ purchases }) => purchases,
    ({ next_after: after }) => (after === null ? undefined : { after }),
  )
  return (
    <Rows
      name="purchases"
      {...pages}
      idOf={({ id }) => id}
      columns={[
        { source: 'created_at' },
        { source: 'user_id', link: ({ user_id: id }) => (id === null ? undefined : userPath({ id })) },
        { source: 'provider' },
        { source: 'product_id' },
        { source: 'kind' },
        { source: 'state' },
        { source: 'environment' },
        { source: 'started_at' },
        { source: 'purchased_at' },
        { source: 'expires_at' },
        { source: 'revoked_at' },
        { source: 'id' },
      ]}
    />
  )
}
