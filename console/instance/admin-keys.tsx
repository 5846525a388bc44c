import { ActButtons } from '../acts/act-buttons.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'

/** The keys that the reader's own account has made. A new key is shown once, in the answer to its making. */
export function AdminKeys() {
  const reading = useReading('listAdminKeys')
  return (
    <>
      <ActButtons acts={[{ id: 'createAdminKey' }]} />
      <ReadingRows
        name="admin_keys"
        reading={reading}
        rowsIn={(keys) => keys}
        idOf={({ key_id: id }) => id}
        columns={[
          { source: 'name' },
          { source: 'acls' },
          { source: 'created_at' },
          { source: 'expires_at' },
          { source: 'last_used_at' },
          {
            source: 'acts',
            render: ({ key_id: id, name, acls }) => (
              <ActButtons
                acts={[
                  { id: 'updateAdminKey', path: { key_id: id }, values: { body: { name, acls } } },
                  { id: 'deleteAdminKey', path: { key_id: id } },
                ]}
              />
            ),
          },
        ]}
      />
    </>
  )
}
