import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { tagOf, userPath } from '../users/user-list.tsx'
import { Heading } from './heading.tsx'

/** The registrations that wait to be let in, and the URLs that people may register by. */
export function Registrations() {
  const translate = useTranslate()
  const { data, error, refetch } = useReading('getInstanceConfiguration')
  if (error) return <FailureNotice error={error} retry={() => void refetch()} />
  if (!data) return <p>{translate('console.say.loading')}</p>
  const { urls, pending_registrations: pending } = data.registration
  return (
    <>
      <Heading name="pending" />
      <Rows
        name="pending_registrations"
        rows={pending}
        idOf={({ user_id: id }) => id}
        columns={[
          { source: 'username', render: (one) => tagOf(one), link: ({ user_id: id }) => userPath({ id }) },
          { source: 'global_name' },
          { source: 'email' },
          { source: 'client_ip' },
          { source: 'requested_at' },
          { source: 'registration_url_id' },
          {
            source: 'acts',
            render: ({ user_id: id }) => (
              <ActButtons acts={[{ id: 'updatePendingRegistration', path: { user_id: id } }]} />
            ),
          },
        ]}
      />
      <Heading name="urls" />
      <ActButtons acts={[{ id: 'createRegistrationURL' }]} />
      <Rows
        name="registration_urls"
        rows={urls}
        idOf={({ id }) => id}
        columns={[
          { source: 'label' },
          { source: 'use_count' },
          { source: 'max_uses' },
          { source: 'approval_required' },
          { source: 'created_at' },
          {
            source: 'created_by_user_id',
            link: ({ created_by_user_id: id }) => (id === null ? undefined : userPath({ id })),
          },
          { source: 'expires_at' },
          { source: 'revoked_at' },
          { source: 'last_used_at' },
          {
            source: 'acts',
            render: ({ id, revoked_at: revokedAt }) =>
              revokedAt === null && (
                <ActButtons acts={[{ id: 'revokeRegistrationURL', path: { registration_url_id: id } }]} />
              ),
          },
        ]}
      />
    </>
  )
}
