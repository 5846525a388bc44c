import type { AccountEvent } from '../../domain/account/events.ts'
import type { RegistrationUrlEvent } from '../../domain/registration-url/events.ts'
import { patch, projection, put } from '../runner/projection.ts'

/**
 * The registration URLs, by id and by the hash of their code. The latest user of a URL is the latest account registered by it.
 */
export const registrationUrlsProjection = projection<RegistrationUrlEvent | AccountEvent>({
  name: 'registration_urls',
  answers: 'Registration URLs, how often they were used, and by whom.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { urls: ['id'] },
  on: {
    RegistrationUrlCreated: ({ data }) => [
      put('urls', {
        id: data.registrationUrlId,
        code_hash: data.codeHash,
        label: data.label,
        created_by: data.createdBy,
        created_at: data.createdAt,
        expires_at: data.expiresAt,
        max_uses: data.maxUses,
        use_count: 0,
        approval_required: data.approvalRequired,
      }),
    ],
    RegistrationUrlUsed: ({ data }) => [patch('urls', { id: data.registrationUrlId }, { use_count: data.useCount })],
    RegistrationUrlUseReturned: ({ data }) => [
      patch('urls', { id: data.registrationUrlId }, { use_count: data.useCount }),
    ],
    RegistrationUrlRevoked: ({ data, metadata }) => [
      patch('urls', { id: data.registrationUrlId }, { revoked_at: metadata.at }),
    ],
    AccountRegistered: ({ data }) =>
      data.registrationUrlId === undefined
        ? []
        : [
            patch(
              'urls',
              { id: data.registrationUrlId },
              { last_used_at: data.registeredAt, last_used_by: data.accountId },
            ),
          ],
  },
})
