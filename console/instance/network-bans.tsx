import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { TextFilter, useAddressFilter } from '../parts/address-filters.tsx'
import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { userPath } from '../users/user-list.tsx'

const page = 100

/** The networks that may not connect, or that of an address, which stands in the page's own address. What is typed there can be banned. */
export function NetworkBans() {
  const translate = useTranslate()
  const [address] = useAddressFilter('address')
  return (
    <>
      <TextFilter
        name="address"
        label={translate('console.instance.address')}
        help={translate('console.instance.address_help')}
      />
      {address !== '' && <ActButtons acts={[{ id: 'banNetwork', path: { address } }]} />}
      <Bans address={address} />
    </>
  )
}

function Bans({ address }: { readonly address: string }) {
  const pages = usePages(
    'listNetworkBans',
    { query: { address: address === '' ? undefined : address, limit: page } },
    ({ bans }) => bans,
    ({ next_after: after }) => (after === null ? undefined : { after }),
  )
  return (
    <Rows
      name="network_bans"
      {...pages}
      idOf={({ network }) => network}
      columns={[
        { source: 'network' },
        { source: 'cause' },
        { source: 'reason' },
        { source: 'banned_at' },
        { source: 'expires_at' },
        {
          source: 'banned_by_user_id',
          link: ({ banned_by_user_id: id }) => (id === null ? undefined : userPath({ id })),
        },
        {
          source: 'acts',
          render: ({ network, reason }) => (
            <ActButtons
              acts={[
                { id: 'liftNetworkBan', path: { address: network } },
                { id: 'banNetwork', path: { address: network }, values: { body: { reason } } },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
