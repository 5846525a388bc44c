import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'
import { ActButtons } from '../acts/act-buttons.tsx'
import { Rows } from '../parts/rows.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { usePages } from '../parts/use-pages.ts'
import { userPath } from '../users/user-list.tsx'
import { BlocklistCheck } from './blocklist-check.tsx'
import { blocklists, type Blocklist } from './blocklist-operations.ts'

const page = 100

/** One blocklist at a time, which the address names: its entries, what adds and removes them, and whether it has a value. */
export function Blocklists() {
  const translate = useTranslate()
  const { may } = useAcls()
  const [search, setSearch] = useSearchParams()
  const readable = blocklists.filter(({ operations: { list, add } }) => may(list) || may(add))
  const shown = readable.find(({ name }) => name === search.get('list')) ?? readable[0]
  if (!shown) return <p>{translate('console.say.none')}</p>
  return (
    <>
      <TextField
        select
        size="small"
        label={translate('console.instance.list')}
        value={shown.name}
        onChange={({ target }) => setSearch({ list: target.value })}
        sx={{ minWidth: '14rem', marginBlock: 1 }}
      >
        {readable.map(({ name }) => (
          <MenuItem key={name} value={name}>
            {translate(`console.instance.list_${name}`)}
          </MenuItem>
        ))}
      </TextField>
      <List key={shown.name} of={shown} mayRead={may(shown.operations.list)} />
    </>
  )
}

function List({ of, mayRead }: { readonly of: Blocklist; readonly mayRead: boolean }) {
  const { add, addMany, removeMany } = of.operations
  return (
    <>
      <ActButtons
        acts={[{ id: add }, ...(addMany ? [{ id: addMany }] : []), ...(removeMany ? [{ id: removeMany }] : [])]}
      />
      {mayRead && <BlocklistCheck of={of} />}
      {mayRead && <Entries of={of} />}
    </>
  )
}

function Entries({ of: { name, operations } }: { readonly of: Blocklist }) {
  const pages = usePages(
    operations.list,
    { query: { limit: page } },
    ({ items }) => items,
    ({ next_after: after }) => (after === null ? undefined : { after }),
  )
  return (
    <Rows
      name={`blocklist_${name}`}
      {...pages}
      idOf={({ value, scope }) => `${scope ?? ''} ${value}`}
      columns={[
        { source: 'value' },
        ...(name === 'profile-substring' ? [{ source: 'scope' }] : []),
        { source: 'category' },
        { source: 'severity' },
        { source: 'reason' },
        { source: 'notes' },
        { source: 'source_url' },
        { source: 'expires_at' },
        { source: 'created_at' },
        {
          source: 'created_by_user_id',
          link: ({ created_by_user_id: id }) => (id === null ? undefined : userPath({ id })),
        },
        {
          source: 'acts',
          render: ({ value, scope, ...entry }) => (
            <ActButtons
              acts={[
                { id: operations.change, path: { value }, values: { query: { scope }, body: entry } },
                { id: operations.remove, path: { value }, values: { query: { scope } } },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
