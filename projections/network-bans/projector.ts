import type { NetworkBanEvent } from '../../domain/network-ban/events.ts'
import { add, projection, put, remove, type RowChange } from '../runner/projection.ts'

/** `changes` has one row. */
const changesId = 1
const changed: RowChange = add('changes', { id: changesId }, { count: 1 })

/** The banned networks, and the number of changes. */
export const networkBansProjection = projection<NetworkBanEvent>({
  name: 'network_bans',
  answers: 'Which networks are turned away.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { bans: ['network'], changes: ['id'] },
  on: {
    NetworkBanned: ({ data, metadata: { actor } }) => [
      put('bans', {
        network: data.network,
        cause: data.cause,
        reason: data.reason,
        banned_by: actor.kind === 'account' ? actor.id : null,
        banned_at: data.bannedAt,
        expires_at: data.expiresAt,
      }),
      changed,
    ],
    NetworkBanLifted: ({ data }) => [remove('bans', { network: data.network }), changed],
  },
})
